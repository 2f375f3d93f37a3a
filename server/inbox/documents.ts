/** The files of a task that somebody is shown before they decide. */
import type { Context, Hono } from 'hono';
import { taskFileUri } from '../../protocol/blob-ref.ts';
import type { StoredFile } from '../../store/blobs.ts';
import type { AuditTrail } from '../approvals/audit-trail.ts';
import { downloadedAct } from '../approvals/told-downloads.ts';
import { answerNotFound } from './answer-page.ts';
import { lookAtApproval } from './approval-look.ts';
import type { InboxEnv } from './inbox-env.ts';
import type { PageParts } from './parts.ts';

export function mountDocuments(app: Hono<InboxEnv>, parts: PageParts): void {
  app.get('/approvals/:id/documents/:name', async (context) => {
    const { id, name } = context.req.param();
    const look = await lookAtApproval(parts, context.get('visitor'), id);
    if (look?.kind !== 'open') return answerNotFound(context);
    const { found, approval, standIn } = look;
    const { taskId } = found;
    // Nothing but what the approval names: other files of the task are its caller's alone.
    if (!approval.documents.includes(taskFileUri(taskId, name))) return answerNotFound(context);
    const stored = await parts.blobs.read({ caller: found.requester, taskId }, name);
    if (stored === undefined) return answerNotFound(context);
    return sendFile({ context, audit: parts.audit }, { taskId, ...stored, onBehalfOf: standIn?.person.name });
  });
}

interface FileToSend {
  readonly taskId: string;
  readonly file: StoredFile;
  readonly bytes: Uint8Array;
  /** For whom the visitor stands in. */
  readonly onBehalfOf?: string | undefined;
}

/** As a download: a file of a caller is never a page of this origin. @throws StoreDown: then nobody gets it */
export async function sendFile(
  { context, audit }: { readonly context: Context<InboxEnv>; readonly audit: AuditTrail | undefined },
  { bytes, ...sent }: FileToSend,
): Promise<Response> {
  const { file } = sent;
  if (context.req.method !== 'HEAD') {
    const { person } = context.get('visitor');
    const [principal = ''] = person.principals;
    await audit?.append(downloadedAct({ ...sent, principal, by: person.name, where: 'inbox' }));
  }
  return context.body(new Uint8Array(bytes), 200, {
    'content-type': file.mimeType,
    'content-disposition': `attachment; filename*=UTF-8''${encodeRfc8187(file.name)}`,
  });
}

/** RFC 8187: what `encodeURIComponent` leaves alone and the header does not take. */
function encodeRfc8187(name: string): string {
  return encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
