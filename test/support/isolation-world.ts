/**
 * Several callers and their tasks, over a real front. What each is answered comes back without what depends on the run.
 *
 * The same steps can be taken by all of them, or by one alone: then nothing of the others is there, and what they would have
 * been given out is a text that never was.
 */
import { randomBytes } from 'node:crypto';
import { IDEMPOTENCY_KEY_META } from '../../protocol/extension.ts';
import { principalOf } from '../../server/principal.ts';
import type { BlobStore } from '../../store/blobs.ts';
import { eventually } from './eventually.ts';
import type { IsolationStep, IsolationTouch } from './isolation-step.ts';
import { listen } from './listen-client.ts';
import { bearer, post, type McpAnswer, type McpRequest } from './mcp-request.ts';
import { olderRequest } from './older-request.ts';
import { plainCall } from './plain-call.ts';
import { anAskingCall } from './product.ts';
import { createSignedInClient, questionsOf, type TaskClient } from './task-client.ts';
import type { TokenIssuer } from './token-issuer.ts';
import { touchRequest } from './touch-request.ts';
import { withoutChance } from './without-chance.ts';

export interface IsolationParts {
  readonly origin: string;
  readonly issuer: TokenIssuer;
  readonly blobs: BlobStore;
  /** The front's own. */
  readonly principalKey: Uint8Array;
}

/** Also an id that never was: it has no question. */
interface GivenTask {
  readonly taskId: string;
  readonly owner: number;
  /** Of its question. */
  readonly key: string | undefined;
}

interface GivenState {
  readonly text: string;
  readonly vendor: string;
}

/** One actor with its token. */
interface Actor {
  readonly number: number;
  readonly token: string;
  readonly client: TaskClient;
  readonly send: (request: McpRequest) => Promise<McpAnswer>;
}

const ENDING: readonly IsolationTouch[] = ['update', 'cancel', 'answer', 'stop'];
const SETTLED_MS = 20_000;
const NOTHING_YET: GivenTask = { taskId: 'A'.repeat(22), owner: -1, key: undefined };

export class IsolationWorld {
  readonly #parts: IsolationParts;
  readonly #name = randomBytes(6).toString('hex');
  readonly #tasks: GivenTask[] = [];
  readonly #states: GivenState[] = [];
  readonly #cursors: string[] = [];
  /** Ids of tasks that their owners have answered or stopped. */
  readonly #ended = new Set<string>();
  /** By actor: tasks whose ids nobody was told. */
  readonly #heldCounts = new Map<number, number>();

  constructor(parts: IsolationParts) {
    this.#parts = parts;
  }

  /** Somebody else takes the step, elsewhere. */
  pretend({ kind, actor }: IsolationStep): void {
    if (kind === 'call') this.#tasks.push(neverWas(actor));
    if (kind === 'page') this.#cursors.push(neverGiven());
    if (kind === 'ask') this.#states.push({ text: neverGiven(), vendor: this.#newVendor() });
  }

  /** @returns what the actor was answered */
  async take(step: IsolationStep): Promise<string> {
    const actor = await this.#actor(step.actor);
    switch (step.kind) {
      case 'call':
        return this.#call(step, actor);
      case 'ask':
        return this.#ask(actor);
      case 'list':
      case 'list as older':
        return this.#list(step.kind, actor);
      case 'page':
        return this.#page(actor);
      case 'turn':
        return this.#turn(this.#cursors[step.target % this.#cursors.length] ?? 'none', actor);
      case 'resume': {
        const { text, vendor } = this.#states[step.target % this.#states.length] ?? { text: 'none', vendor: 'none' };
        return this.#told(await actor.send(heldCall(vendor, { requestState: text })));
      }
      default:
        return this.#touch(step.kind, this.#tasks[step.target % this.#tasks.length] ?? NOTHING_YET, actor);
    }
  }

  async #actor(number: number): Promise<Actor> {
    const { issuer, origin } = this.#parts;
    const token = await issuer.token({ claims: { sub: this.#subject(number) } });
    const client = createSignedInClient(token, origin);
    const send = (request: McpRequest): Promise<McpAnswer> =>
      post(`${origin}/mcp`, { ...request, headers: { ...request.headers, ...bearer(token) } });
    return { number, token, client, send };
  }

  async #call({ key, variant }: IsolationStep & { kind: 'call' }, actor: Actor): Promise<string> {
    const args = { ...anAskingCall(), vendor: `variant ${String(variant)}` };
    const meta = key === undefined ? {} : { [IDEMPOTENCY_KEY_META]: `key-${String(key)}` };
    const answer = await actor.send({
      method: 'tools/call',
      params: { name: 'purchase_order', arguments: args },
      meta,
    });
    // A handle, or the plain result of a call that has been made before.
    const taskId = /"taskId":"([\w-]{22})"/.exec(answer.text)?.[1];
    if (taskId === undefined) {
      this.#tasks.push(neverWas(actor.number));
      return this.#told(answer);
    }
    const known = this.#tasks.findIndex((task) => task.taskId === taskId);
    this.#tasks.push(this.#tasks[known] ?? { taskId, owner: actor.number, key: await this.#asked(actor, taskId) });
    return `task ${String(known < 0 ? this.#tasks.length - 1 : known)}`;
  }

  /** Once it waits for an answer, and has a file. */
  async #asked({ number, client }: Actor, taskId: string): Promise<string | undefined> {
    const { blobs, principalKey, issuer } = this.#parts;
    const task = await client.until(taskId, ['input_required'], SETTLED_MS);
    const caller = principalOf(principalKey, { issuer: issuer.url, subject: this.#subject(number) });
    await blobs.put({ caller, taskId }, { name: 'note.txt', mimeType: 'text/plain', bytes: Buffer.from('note') });
    return Object.keys(questionsOf(task))[0];
  }

  async #ask({ number, send }: Actor): Promise<string> {
    const vendor = this.#newVendor();
    const answer = await send(heldCall(vendor));
    this.#heldCounts.set(number, (this.#heldCounts.get(number) ?? 0) + 1);
    this.#states.push({ text: String(answer.body.result.requestState), vendor });
    return this.#told(answer);
  }

  /** The index lags behind: it is asked until it has caught up. One task too many never goes away. */
  async #list(kind: 'list' | 'list as older', { number, send }: Actor): Promise<string> {
    const count = this.#countOf(number);
    return eventually(async () => {
      const ids = await (kind === 'list' ? listedIds(send) : listedAsOlder(send));
      if (ids.length !== count) throw new Error(`${String(ids.length)} tasks are listed instead of ${String(count)}.`);
      const isKnown = (id: string): boolean => this.#tasks.some(({ taskId }) => taskId === id);
      return ids
        .map((id) => (isKnown(id) ? this.#named(id) : 'held'))
        .sort()
        .join();
    }, SETTLED_MS);
  }

  /** The first of several pages. How the tasks lie on them depends on how far behind the index is. */
  async #page({ number, send }: Actor): Promise<string> {
    const isMore = this.#countOf(number) > 1;
    const cursor = await eventually(async () => {
      const { body } = await send(plainCall({ name: 'my_tasks', arguments: { limit: 1 } }));
      const given = body.result.structuredContent['nextCursor'] as string | undefined;
      if (isMore && given === undefined) throw new Error('There is no second page yet.');
      return isMore ? given : undefined;
    }, SETTLED_MS);
    this.#cursors.push(cursor ?? neverGiven());
    return cursor === undefined ? 'the only page' : 'the first page';
  }

  async #turn(cursor: string, { send }: Actor): Promise<string> {
    const answer = await send(plainCall({ name: 'my_tasks', arguments: { limit: 1, cursor } }));
    const { error, result } = answer.body;
    return error === undefined && result.isError !== true ? 'the next page' : this.#told(answer);
  }

  #countOf(actor: number): number {
    const own = this.#tasks.filter(({ owner, key }) => owner === actor && key !== undefined);
    return new Set(own.map(({ taskId }) => taskId)).size + (this.#heldCounts.get(actor) ?? 0);
  }

  async #touch(kind: IsolationTouch, task: GivenTask, { number, token, client, send }: Actor): Promise<string> {
    if (kind === 'listen') {
      const stream = await listen(`${this.#parts.origin}/mcp`, [task.taskId], { headers: bearer(token) });
      const [acknowledged] = stream.frames;
      stream.close();
      await stream.ended;
      return this.#named(JSON.stringify(acknowledged), task.taskId);
    }
    const isOwn = task.owner === number && task.key !== undefined;
    // It would be held until the end.
    if (isOwn && kind === 'older result' && !this.#ended.has(task.taskId)) return 'not asked';
    const answer = await send(touchRequest(kind, task));
    const told = this.#told(answer, task.taskId);
    if (!isOwn || !ENDING.includes(kind)) return told;
    await client.until(task.taskId, ['completed', 'cancelled'], SETTLED_MS);
    this.#ended.add(task.taskId);
    // Whether these tell the end or what comes before it is chance.
    return kind === 'answer' || kind === 'stop' ? `refused: ${String(answer.body.result.isError)}` : told;
  }

  #told({ status, text }: McpAnswer, touched?: string): string {
    return `${String(status)} ${this.#named(text, touched)}`;
  }

  /** A touched id is not told by its place: one key may have given the same id twice, and alone nobody knows it. */
  #named(text: string, touched?: string): string {
    return withoutChance(
      touched === undefined ? text : text.replaceAll(touched, 'the touched task'),
      this.#tasks.map(({ taskId }) => taskId),
    );
  }

  #subject(actor: number): string {
    return `${this.#name} ${String(actor)}`;
  }

  #newVendor(): string {
    return `held ${String(this.#states.length)}`;
  }
}

function neverWas(owner: number): GivenTask {
  return { taskId: randomBytes(16).toString('base64url'), owner, key: undefined };
}

function neverGiven(): string {
  return randomBytes(180).toString('base64url');
}

async function listedIds(send: Actor['send']): Promise<readonly string[]> {
  const { body, text } = await send(plainCall({ name: 'my_tasks', arguments: {} }));
  if (body.error !== undefined) throw new Error(text);
  return (body.result.structuredContent['tasks'] as { id: string }[]).map(({ id }) => id);
}

async function listedAsOlder(send: Actor['send']): Promise<readonly string[]> {
  const { body, text } = await send(olderRequest('tasks/list', {}));
  if (body.error !== undefined) throw new Error(text);
  return (body.result as unknown as { tasks: { taskId: string }[] }).tasks.map(({ taskId }) => taskId);
}

function heldCall(vendor: string, more: object = {}): McpRequest {
  return plainCall({ name: 'purchase_order', arguments: { ...anAskingCall(), vendor }, ...more });
}
