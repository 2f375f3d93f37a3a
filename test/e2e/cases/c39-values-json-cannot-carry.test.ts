/**
 * C39: values JSON cannot carry. Whatever a tool puts where, its caller gets an answer that names the member, never `null`
 * in its place, and never a task that cannot end.
 *
 * An undefined member is left out, as JSON does (test/unit/protocol/json-value.test.ts).
 */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { post, type RpcAnswer } from '../../support/mcp-request.ts';
import { openCaseServer, type CaseServer } from './support/case-server.ts';
import { ODD_KINDS } from './support/odd-values.ts';
import { nothingForStrangers } from './support/strangers.ts';

let server: CaseServer;
let url = '';

beforeAll(async () => {
  server = await openCaseServer();
  const [front] = await Promise.all([server.startFront(), server.startWorker()]);
  url = `${front.url}/mcp`;
}, 60_000);

async function carry(tool: string, where: string, kind: string): Promise<RpcAnswer> {
  const { body } = await post(url, { method: 'tools/call', params: { name: tool, arguments: { kind, where } } });
  expect(JSON.stringify(body)).not.toMatch(/null/);
  return body;
}

describe.each(ODD_KINDS)('%s', (kind) => {
  it.each(['carry', 'carry_at_once'])('in the result of %s is a tool error that names the member', async (tool) => {
    const { result } = await carry(tool, 'the result', kind);
    expect(result).toMatchObject({ isError: true, resultType: 'complete' });
    expect(result).not.toHaveProperty('structuredContent');
    expect(result.content[0].text).toMatch(/a value that JSON cannot carry, at \$\.structuredContent\.value/);
  });

  it.each(['carry', 'carry_at_once'])(
    'in the data of an error of %s leaves code and message, and names the member',
    async (tool) => {
      const { error } = await carry(tool, 'the data of an error', kind);
      expect(error).toMatchObject({ code: -31555, message: expect.stringMatching(/No such quota\..*\$\.data\.value/) });
      expect(error).not.toHaveProperty('data');
    },
  );

  it('in the result of an activity fails the task with the fixed text', async () => {
    const { error } = await carry('carry', 'the result of an activity', kind);
    expect(error).toMatchObject({
      code: -32603,
      message: expect.stringContaining('Internal error while running task'),
    });
  });

  it('in the details of an activity failure fails the task with the fixed text', async () => {
    const { error } = await carry('carry', 'the details of an activity failure', kind);
    expect(error).toMatchObject({
      code: -32603,
      message: expect.stringContaining('Internal error while running task'),
    });
  });

  it('in a heartbeat lets the task end', async () => {
    const { result, error } = await carry('carry', 'a heartbeat', kind);
    expect(['survived', -32603]).toContain(error?.code ?? result.content[0].text);
  });
});

nothingForStrangers(() => server);
