/** The official requester of the Tasks extension, against the fixture tools. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { catalog } from '../../conformance/tools/index.ts';
import { kill9 } from '../../support/product.ts';
import type { RoleProcess } from '../../support/processes.ts';
import { openFixtures, type Fixtures } from './support/fixtures.ts';
import { perform } from './support/perform.ts';
import type { FormContent, RequesterOutcome, RequesterStep } from './support/requester-step.ts';

let fixtures: Fixtures;
let server: RoleProcess;
beforeAll(async () => {
  fixtures = await openFixtures();
  server = await fixtures.start();
}, 60_000);

interface Expected extends Partial<RequesterOutcome> {
  readonly args?: Readonly<Record<string, string | number>>;
  readonly answers?: readonly FormContent[];
}

const ADA = { name: 'Ada' };
const AT_ONCE = { kind: 'immediate', status: 'completed', asked: 0 } as const;
const A_TASK = { kind: 'task', status: 'completed', asked: 0 } as const;
const has = (part: string): string => expect.stringContaining(part) as unknown as string;

/** Each tool, what is passed and answered, and what comes of it. */
const TOOLS: Readonly<Record<string, Expected>> = {
  greet: { ...AT_ONCE, args: ADA, text: 'Hello, Ada!' },
  slow_compute: { ...A_TASK, args: { seconds: 2, label: 'sum' }, text: 'sum: computed for 2 s' },
  failing_job: { ...A_TASK, isError: true, text: 'The job failed, as it always does.' },
  protocol_error_job: { ...A_TASK, status: 'failed', code: -32603, text: has('protocol error') },
  confirm_delete: {
    ...A_TASK,
    args: { filename: 'b' },
    answers: [{ confirm: 'yes' }, { confirm: true }],
    text: 'Deleted b.',
    asked: 2,
  },
  multi_input: {
    ...A_TASK,
    answers: [{ ...ADA, confirm: true }],
    text: has('confirm: '),
    asked: expect.any(Number) as unknown as number,
  },
  json_schema_2020_12_tool: { ...AT_ONCE, args: { contactMethod: 'email', email: 'a@b.example' }, text: 'ok' },
  test_simple_text: { ...AT_ONCE, text: has('simple text') },
  test_image_content: { ...AT_ONCE, types: ['image'] },
  test_audio_content: { ...AT_ONCE, types: ['audio'] },
  test_embedded_resource: { ...AT_ONCE, types: ['resource'] },
  test_multiple_content_types: {
    ...AT_ONCE,
    text: 'Multiple content types test:',
    types: ['text', 'image', 'resource'],
  },
  test_error_handling: { ...AT_ONCE, isError: true, text: has('returns an error') },
  test_logging_tool: { ...AT_ONCE, text: has('nothing was logged') },
  test_tool_with_progress: { ...A_TASK, text: 'Done.' },
  test_missing_capability: { ...AT_ONCE, text: 'The client declared sampling.' },
  // The requester writes its requests itself, without the header that the client of the SDK would add: over stdio it can call it.
  test_custom_header: { status: 'refused', code: -32020, asked: 0, args: { region: 'eu' } },
  test_tool_with_task: { ...A_TASK, answers: [ADA], text: 'Hello, Ada!', asked: 1 },
  test_streaming_elicitation: { ...AT_ONCE, answers: [ADA], text: 'Hello, Ada!', asked: 1 },
  test_sampling: { ...A_TASK, args: { prompt: 'The capital of France?' }, text: has('Paris') },
  test_elicitation: {
    ...A_TASK,
    args: { message: 'Who are you?' },
    answers: [{ username: 'ada', email: 'ada@example.com' }],
    text: has('ada@example.com'),
    asked: 1,
  },
  test_elicitation_sep1034_defaults: {
    ...A_TASK,
    answers: [{ name: 'Ada', age: 36, score: 9.5, status: 'active', verified: true }],
    text: has('"score":9.5'),
    asked: 1,
  },
  test_elicitation_sep1330_enums: {
    ...A_TASK,
    answers: [
      {
        untitledSingle: 'option1',
        titledSingle: 'value1',
        legacyEnum: 'opt1',
        untitledMulti: ['option1', 'option2'],
        titledMulti: ['value2'],
      },
    ],
    text: has('"titledMulti":["value2"]'),
    asked: 1,
  },
  test_input_required_result_elicitation: { ...AT_ONCE, answers: [ADA], text: 'Hello, Ada!', asked: 1 },
  test_input_required_result_sampling: { ...AT_ONCE, text: has('Paris') },
  test_input_required_result_list_roots: { ...AT_ONCE, text: has('file:///project') },
  test_input_required_result_request_state: { ...AT_ONCE, answers: [{ ok: true }], text: has('confirmed'), asked: 1 },
  test_input_required_result_tampered_state: { ...AT_ONCE, answers: [{ ok: true }], text: has('confirmed'), asked: 1 },
  test_input_required_result_multiple_inputs: { ...AT_ONCE, answers: [ADA], text: has('file:///project'), asked: 1 },
  test_input_required_result_multi_round: {
    ...AT_ONCE,
    answers: [ADA, { color: 'blue' }],
    text: 'Ada likes blue.',
    asked: 2,
  },
  test_input_required_result_capabilities: { ...AT_ONCE, answers: [ADA], text: 'The answer was: Ada', asked: 1 },
};

/** It polls, and mostly waits: several of it wait at the same time. */
const PARTS = 4;

async function performInParts(steps: readonly RequesterStep[]): Promise<readonly RequesterOutcome[]> {
  const partOf = (index: number): readonly RequesterStep[] => steps.filter((_, at) => at % PARTS === index);
  const parts = Array.from({ length: PARTS }, (_, index) => perform(fixtures.url, partOf(index)));
  const outcomes = await Promise.all(parts);
  return steps.map((_, index) => outcomes[index % PARTS]?.[Math.floor(index / PARTS)] as RequesterOutcome);
}

describe('the official requester', () => {
  it('gets from every fixture tool what that says, at once or from a task, and answers what it is asked', async () => {
    expect(Object.keys(TOOLS).sort()).toEqual([...catalog.keys()].sort());
    const steps = Object.entries(TOOLS).map(([tool, { args = {}, answers }]): RequesterStep => ({
      do: 'call',
      tool,
      args,
      ...(answers && { answers }),
    }));
    const outcomes = await performInParts(steps);
    const named = outcomes.map((outcome, index) => [steps[index], outcome]);
    const expected = Object.values(TOOLS).map(({ args: _, answers: __, ...outcome }, index) => [steps[index], outcome]);
    expect(named).toEqual(expected);
  }, 200_000);

  it('gets a short call of a tool that may be long at once, and cancels one that is long', async () => {
    const outcomes = await perform(fixtures.url, [
      { do: 'call', tool: 'slow_compute', args: { seconds: 0 } },
      { do: 'cancel', tool: 'slow_compute', args: { seconds: 60 } },
      { do: 'call', tool: 'confirm_delete', args: { filename: 'a' }, answers: [{ confirm: false }] },
    ]);
    expect(outcomes).toEqual([
      { kind: 'immediate', status: 'completed', text: 'job: computed for 0 s', asked: 0 },
      { kind: 'task', status: 'cancelled', asked: 0 },
      { kind: 'task', status: 'completed', text: 'Kept a.', asked: 1 },
    ]);
  }, 150_000);

  it('hands a task over to another process, though the server was killed and started again in between', async () => {
    const [started] = await perform(fixtures.url, [{ do: 'start', tool: 'confirm_delete', args: { filename: 'c' } }]);
    const { reference } = started ?? {};
    if (reference === undefined) throw new Error('No reference was handed over.');
    await kill9(server);
    server = await fixtures.start();
    const outcomes = await perform(fixtures.url, [{ do: 'resume', reference, answers: [{ confirm: true }] }]);
    expect(outcomes).toEqual([{ kind: 'task', status: 'completed', text: 'Deleted c.', asked: 1 }]);
  }, 200_000);
});
