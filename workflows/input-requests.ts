/**
 * Requests to the caller: minted, waited for, settled, asked again.
 *
 * A key holds a `uuid4()`: that alone makes it unique in the life of the task, over resets and over runs that continue it,
 * so that no list of closed keys has to grow with the task.
 */
import { condition, uuid4 } from '@temporalio/workflow';
import { MAX_ASKING_ROUNDS, uselessAnswersText, withComplaint } from '../protocol/complaint.ts';
import { checkInputReply, type InputReply } from '../protocol/input-reply.ts';
import type { InputRequest } from '../protocol/task.ts';
import type { TaskRecord } from './task-record.ts';
import { toolFailure } from './tool.ts';

/** Requests always fit the memo. */
const MAX_REQUEST_BYTES = 48 * 1024;

interface Slot {
  response?: { readonly value: unknown };
}

export class InputRequestBook {
  readonly #record: TaskRecord;
  readonly #slots = new Map<string, Slot>();

  constructor(record: TaskRecord) {
    this.#record = record;
  }

  /**
   * Waits until the caller's answer fits. While it waits, other answers, a cancel and the deadline may come.
   * @throws ToolFailure when no answer fits
   */
  async ask(name: string, request: InputRequest): Promise<InputReply> {
    let asked = request;
    for (let round = 1; ; round += 1) {
      const checked = checkInputReply(asked, await this.#answerTo(name, asked));
      if (checked.ok) return checked.reply;
      if (round === MAX_ASKING_ROUNDS) throw toolFailure(uselessAnswersText(request, checked.problem));
      asked = withComplaint(request, checked.problem);
    }
  }

  async #answerTo(name: string, request: InputRequest): Promise<unknown> {
    this.#refuseOversize(request);
    const key = `${name}-${uuid4()}`;
    const slot: Slot = {};
    this.#slots.set(key, slot);
    this.#record.apply({ type: 'asked', requests: { [key]: request } });
    try {
      await condition(() => slot.response !== undefined);
    } finally {
      this.#slots.delete(key);
      this.#record.apply({ type: 'withdrawn', keys: [key] });
    }
    return slot.response?.value;
  }

  /** Gives responses to those who wait for them. The first one for a key counts; unknown keys are ignored. */
  deliver(responses: Readonly<Record<string, unknown>>, receivedAt: number): void {
    const outstanding = Object.keys(responses).filter((key) => Object.hasOwn(this.#record.state.requests, key));
    if (!this.#record.apply({ type: 'answered', keys: outstanding, receivedAt })) return;
    for (const key of outstanding) {
      const slot = this.#slots.get(key);
      if (slot !== undefined) slot.response ??= { value: responses[key] };
    }
  }

  #refuseOversize(request: InputRequest): void {
    // An author's error, not a caller's: it stays until fixed code is deployed.
    const size = JSON.stringify({ ...this.#record.state.requests, next: request }).length;
    if (size > MAX_REQUEST_BYTES) throw new Error(`Outstanding input requests take ${String(size)} bytes, over 48 KB.`);
  }
}
