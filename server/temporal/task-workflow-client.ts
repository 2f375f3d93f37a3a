/** The SDK's workflow client, with its two raw ends laid bare: the start that tells a duplicate, and payload decoding. */
import { randomUUID } from 'node:crypto';
import { WorkflowClient, type WorkflowStartInput } from '@temporalio/client';
import type { temporal } from '@temporalio/proto';

type Payload = temporal.api.common.v1.IPayload;
export type StartOptions = WorkflowStartInput['options'];
export type StartRequest = temporal.api.workflowservice.v1.IStartWorkflowExecutionRequest;

export class TaskWorkflowClient extends WorkflowClient {
  /** The request of one start. Sent twice it starts once: it carries its own request id. */
  async startRequest(workflowType: string, options: StartOptions): Promise<StartRequest> {
    const request = await this.createStartWorkflowRequest({ workflowType, options, headers: {} });
    return { ...request, requestId: randomUUID() };
  }

  async encode(value: unknown): Promise<Payload> {
    let payloads: Payload[] = [this.dataConverter.payloadConverter.toPayload(value)];
    for (const codec of this.dataConverter.payloadCodecs) payloads = await codec.encode(payloads);
    return payloads[0] as Payload;
  }

  /** `undefined` for no payload. */
  async decode(payload: Payload | null | undefined): Promise<unknown> {
    if (payload == null) return undefined;
    let payloads: Payload[] = [payload];
    for (const codec of this.dataConverter.payloadCodecs.toReversed()) payloads = await codec.decode(payloads);
    return this.dataConverter.payloadConverter.fromPayload(payloads[0] as Payload);
  }
}
