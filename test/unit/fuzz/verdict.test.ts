import { describe, expect, it } from '@jest/globals';
import { faultOf } from '../../fuzz/verdict.ts';

function answer(status: number, body: string): Parameters<typeof faultOf>[0] {
  return { status, text: `HTTP/1.1 ${String(status)} X\r\ncontent-length: 1\r\n\r\n${body}`, isTimeout: false };
}

const FOREIGN = 'Nordlicht 4711';
const cutShort = { isWhole: false, foreign: [FOREIGN], publicAddresses: ['127.0.0.1:3000'] };
const whole = { ...cutShort, isWhole: true };
const silence = { text: '', isTimeout: true };
const noWord = { text: '', isTimeout: false };

describe('faultOf', () => {
  it.each([
    ['a refusal', answer(400, '{"error":{"code":-32600,"message":"Invalid request."}}')],
    ['a stream that has begun', answer(200, 'event: message\ndata: {"result":{}}\n\n')],
    ['an address that everybody knows', answer(401, '{"error":{"code":-32000,"message":"http://127.0.0.1:3000"}}')],
    ['an outage that is told', answer(503, '{"error":{"code":-32000,"message":"Later."}}')],
  ])('finds nothing wrong with %s', (_, given) => {
    expect(faultOf(given, whole)).toBeUndefined();
  });

  it.each([
    ['silence', silence],
    ['closed without a word', noWord],
  ])('takes %s for a fault where a request was whole, and only there', (fault, given) => {
    expect([faultOf(given, whole), faultOf(given, cutShort)]).toEqual([fault, undefined]);
  });

  it.each([
    ['a stack', answer(400, 'Error\n    at parse (/srv/app/x.js:1:1)'), 'shows'],
    ['an address', answer(200, '{"error":{"code":-32602,"message":"connect 127.0.0.1:7233"}}'), 'shows'],
    ['the name of an internal error', answer(400, 'TypeError: x is not a function'), 'shows'],
    ['an internal error', answer(200, '{"error":{"code":-32603,"message":"Internal error."}}'), 'an internal error'],
    ['one in an event', answer(200, 'data: {"error":{"code":-32603,"message":"x"}}\n\n'), 'an internal error'],
    ['a failure without a word', answer(500, ''), 'HTTP 500 without a clear body'],
    [
      'an address in a header',
      { ...noWord, status: 200, text: 'HTTP/1.1 200 OK\r\nvia: 127.0.0.1:7233\r\n\r\n{}' },
      'shows',
    ],
    ['a task of somebody else', answer(200, `{"result":{"statusMessage":"${FOREIGN}"}}`), 'somebody else’s'],
    ['one in a stream that is still open', { ...answer(200, `data: ${FOREIGN}`), isTimeout: true }, 'somebody else’s'],
    ['an answer that breaks off', { text: 'HTTP/1.', isTimeout: true }, 'half an answer'],
  ])('finds %s', (_, given, fault) => {
    expect(faultOf(given, whole)).toContain(fault);
  });
});
