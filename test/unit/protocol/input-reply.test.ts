import { describe, expect, it } from '@jest/globals';
import { uselessAnswersText, withComplaint } from '../../../protocol/complaint.ts';
import { elicitation, flag, text } from '../../../protocol/form.ts';
import { featureOf, unaskable } from '../../../protocol/input-feature.ts';
import { checkInputReply } from '../../../protocol/input-reply.ts';
import { ownMember } from '../../../protocol/own-member.ts';
import { rootsList } from '../../../protocol/roots.ts';
import { sampling } from '../../../protocol/sampling.ts';
import { unaskableText } from '../../../protocol/unaskable-text.ts';
import { urlElicitation } from '../../../protocol/url-elicitation.ts';

const form = elicitation('Go on?', { go: flag() });
const page = urlElicitation('Sign in', 'https://sign-in.example/start');
const sample = sampling({
  messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }],
  maxTokens: 9,
  systemPrompt: undefined,
});
const roots = rootsList();

function verdict(request: Parameters<typeof checkInputReply>[0], json: string): unknown {
  const checked = checkInputReply(request, JSON.parse(json));
  return checked.ok ? checked.reply : checked.problem;
}

describe('the requests', () => {
  it('stand on the wire as the specification has them', () => {
    expect(page).toEqual({
      method: 'elicitation/create',
      params: { mode: 'url', message: 'Sign in', url: 'https://sign-in.example/start' },
    });
    expect(sample).toEqual({
      method: 'sampling/createMessage',
      params: { messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }], maxTokens: 9 },
    });
    expect(roots).toEqual({ method: 'roots/list', params: {} });
  });
});

describe('checkInputReply', () => {
  it('reads a form by its schema and a page by its action alone', () => {
    expect(verdict(form, '{"action":"accept","content":{"go":"yes"}}')).toBe('go must be true or false');
    expect(verdict(page, '{"action":"accept"}')).toEqual({ action: 'accept', content: {} });
    expect(verdict(page, '{"action":"accept","content":{"token":"x"}}')).toEqual({ action: 'accept', content: {} });
    expect(verdict(page, '{"action":"decline"}')).toEqual({ action: 'decline' });
    expect(verdict(page, '{"action":"opened"}')).toBe('action must be accept, decline or cancel');
  });

  const said = { type: 'text', text: 'Paris' };
  it.each([
    [{ role: 'assistant', content: said, model: 'm' }],
    [{ role: 'user', content: said, model: 'm', stopReason: 'endTurn' }],
    [{ role: 'assistant', content: [said, { type: 'image', data: '', mimeType: 'image/png' }], model: 'm' }],
  ])('takes the completion %j as it is', (response) => {
    expect(verdict(sample, JSON.stringify({ ...response, extra: 1 }))).toEqual(response);
  });

  it.each([
    ['null', 'the answer must be an object'],
    ['"Paris"', 'the answer must be an object'],
    ['[]', 'the answer must be an object'],
    ['{}', 'role must be assistant or user'],
    ['{"action":"decline"}', 'role must be assistant or user'],
    ['{"__proto__":{"role":"assistant","model":"m"}}', 'role must be assistant or user'],
    ['{"role":"system","model":"m"}', 'role must be assistant or user'],
    ['{"role":"assistant","content":{"type":"text","text":"x"}}', 'model must be a string'],
    ['{"role":"assistant","model":"m","stopReason":1}', 'stopReason must be a string'],
    ['{"role":"assistant","model":"m"}', 'content must be a content block'],
    ['{"role":"assistant","model":"m","content":"Paris"}', 'content must be a content block'],
    ['{"role":"assistant","model":"m","content":[]}', 'content must be a content block'],
    ['{"role":"assistant","model":"m","content":{"text":"x"}}', 'content must be a content block'],
    ['{"role":"assistant","model":"m","content":{"type":"text"}}', 'content must be a content block'],
  ])('refuses the completion %s', (json, problem) => {
    expect(verdict(sample, json)).toBe(problem);
  });

  it('takes roots with or without a name', () => {
    const response = { roots: [{ uri: 'file:///a' }, { uri: 'file:///b', name: 'B' }] };
    expect(verdict(roots, JSON.stringify(response))).toEqual(response);
    expect(verdict(roots, '{"roots":[]}')).toEqual({ roots: [] });
  });

  it.each([
    ['{}', 'roots must be a list'],
    ['{"roots":{"uri":"file:///a"}}', 'roots must be a list'],
    ['{"roots":["file:///a"]}', 'each root needs a uri that starts with file://, and its name must be a string'],
    [
      '{"roots":[{"uri":"https://a"}]}',
      'each root needs a uri that starts with file://, and its name must be a string',
    ],
    [
      '{"roots":[{"uri":"file:///a","name":7}]}',
      'each root needs a uri that starts with file://, and its name must be a string',
    ],
    ['7', 'the answer must be an object'],
  ])('refuses the roots %s', (json, problem) => {
    expect(verdict(roots, json)).toBe(problem);
  });
});

describe('what a client cannot be asked', () => {
  it('is told by kind and mode', () => {
    expect([form, page, sample, roots].map(featureOf)).toEqual([
      'elicitationForm',
      'elicitationUrl',
      'sampling',
      'roots',
    ]);
  });

  it('is whatever it did not declare, named once', () => {
    expect(unaskable([form, page, form], { elicitationForm: true })).toEqual(['elicitationUrl']);
    expect(unaskable([form, form, roots], {})).toEqual(['elicitationForm', 'roots']);
    expect(unaskable([form, page], { elicitationForm: true, elicitationUrl: true })).toEqual([]);
  });

  it('is told with the arguments to pass instead, where there are any', () => {
    const name = elicitation('Who?', { name: text() });
    expect(unaskableText([name], {})).toBe(
      'This call needs name, and your client cannot be asked. Pass it as an argument, or call from a client that declares form elicitation.',
    );
    expect(unaskableText([name, form], {})).toContain('needs name, go, and your client cannot be asked. Pass them as');
    expect(unaskableText([page, sample], {})).toBe(
      'This call needs a client that declares URL elicitation and sampling, and yours does not. Call from one that does.',
    );
    const bare = { method: 'elicitation/create', params: {} } as const;
    expect(unaskableText([bare], {})).toContain('declares form elicitation');
  });
});

describe('asking again', () => {
  it('says in the message what was wrong, and leaves alone what has no words', () => {
    expect(withComplaint(form, 'go is missing').params).toMatchObject({
      message: 'The last answer could not be used: go is missing. Go on?',
    });
    const wordless = { method: 'elicitation/create', params: {} } as const;
    for (const request of [sample, roots, wordless]) expect(withComplaint(request, 'x')).toBe(request);
  });

  it('ends with the question and the last problem', () => {
    expect(uselessAnswersText(form, 'go is missing')).toBe(
      'No answer to "Go on?" could be used. The last one: go is missing.',
    );
    expect(uselessAnswersText(roots, 'roots must be a list')).toContain('"roots/list"');
  });
});

describe('ownMember', () => {
  it('finds what stands in an object itself, and nothing elsewhere', () => {
    const odd: unknown = JSON.parse('{"__proto__":{"action":"accept"},"a":1}');
    expect([ownMember(odd, 'a'), ownMember(odd, 'action'), ownMember(odd, 'toString')]).toEqual([
      1,
      undefined,
      undefined,
    ]);
    expect([ownMember(null, 'a'), ownMember([1], '0'), ownMember('text', 'length')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
