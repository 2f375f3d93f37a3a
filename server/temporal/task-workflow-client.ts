/** The SDK's workflow client, with its payload encoding laid bare. */
import { WorkflowClient } from '@temporalio/client';
import type { temporal } from '@temporalio/proto';

type Payload = temporal.api.common.v1.IPayload;

export class TaskWorkflowClient extends WorkflowClient {
  async encode(value: unknown): Promise<Payload> {
    const [payload] = await this.encodeAll([this.dataConverter.payloadConverter.toPayload(value)]);
    return payload as Payload;
  }

  /** In one go: each step of a codec costs more than a payload does. */
  async encodeAll(values: readonly Payload[]): Promise<readonly Payload[]> {
    let payloads = [...values];
    for (const codec of this.dataConverter.payloadCodecs) payloads = await codec.encode(payloads);
    return payloads;
  }

  /** `undefined` for no payload. */
  async decode(payload: Payload | null | undefined): Promise<unknown> {
    if (payload == null) return undefined;
    let payloads: Payload[] = [payload];
    for (const codec of this.dataConverter.payloadCodecs.toReversed()) payloads = await codec.decode(payloads);
    return this.dataConverter.payloadConverter.fromPayload(payloads[0] as Payload);
  }
}
