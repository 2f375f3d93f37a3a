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

const SETTLED_MS = 20_000;
const NOTHING_YET: GivenTask = { taskId: 'A'.repeat(22), owner: -1, key: undefined };

export class IsolationWorld {
  readonly #parts: IsolationParts;
  readonly #name = randomBytes(6).toString('hex');
  readonly #tasks: GivenTask[] = [];
  readonly #states: GivenState[] = [];
  /** By actor: tasks whose ids nobody was told. */
  readonly #heldCounts = new Map<number, number>();

  constructor(parts: IsolationParts) {
    this.#parts = parts;
  }

  /** Somebody else takes the step, elsewhere. */
  pretend({ kind, actor }: IsolationStep): void {
    if (kind === 'call') this.#tasks.push(neverWas(actor));
    if (kind === 'ask') this.#states.push({ text: randomBytes(180).toString('base64url'), vendor: this.#newVendor() });
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
        return this.#list(actor);
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
    return { number, token, client, send: (request) => post(`${origin}/mcp`, { ...request, headers: bearer(token) }) };
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
  async #list({ number, send }: Actor): Promise<string> {
    const own = this.#tasks.filter(({ owner, key }) => owner === number && key !== undefined);
    const count = new Set(own.map(({ taskId }) => taskId)).size + (this.#heldCounts.get(number) ?? 0);
    return eventually(async () => {
      const { body, text } = await send(plainCall({ name: 'my_tasks', arguments: {} }));
      if (body.error !== undefined) throw new Error(text);
      const ids = (body.result.structuredContent['tasks'] as { id: string }[]).map(({ id }) => id);
      if (ids.length !== count) throw new Error(`${String(ids.length)} tasks are listed instead of ${String(count)}.`);
      const isKnown = (id: string): boolean => this.#tasks.some(({ taskId }) => taskId === id);
      return ids
        .map((id) => (isKnown(id) ? this.#named(id) : 'held'))
        .sort()
        .join();
    }, SETTLED_MS);
  }

  async #touch(kind: IsolationTouch, task: GivenTask, { number, token, client, send }: Actor): Promise<string> {
    if (kind === 'listen') {
      const stream = await listen(`${this.#parts.origin}/mcp`, [task.taskId], { headers: bearer(token) });
      const [acknowledged] = stream.frames;
      stream.close();
      await stream.ended;
      return this.#named(JSON.stringify(acknowledged), task.taskId);
    }
    const told = this.#told(await send(touchRequest(kind, task)), task.taskId);
    const isOwn = task.owner === number && task.key !== undefined;
    if (isOwn && ['update', 'cancel'].includes(kind)) {
      await client.until(task.taskId, ['completed', 'cancelled'], SETTLED_MS);
    }
    return told;
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

function heldCall(vendor: string, more: object = {}): McpRequest {
  return plainCall({ name: 'purchase_order', arguments: { ...anAskingCall(), vendor }, ...more });
}
