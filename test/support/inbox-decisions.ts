/** What somebody decides in the inbox: found in their queue, sent by the form of its page. */
import { eventually } from './eventually.ts';
import { formOf, wordsOf, type InboxPage, type InboxVisitor } from './inbox-visitor.ts';

/** The page of the approval with this title, once it waits for `visitor`. */
export async function fromQueue(visitor: InboxVisitor, title: string, withinMs: number): Promise<InboxPage> {
  const address = await eventually(async () => {
    const { text } = await visitor.get('/inbox');
    const links = [...text.matchAll(/href="(\/inbox\/approvals\/[^"]+)">([^<]*)</g)];
    return links.find(([, , name]) => name === title)?.[1] ?? false;
  }, withinMs);
  return visitor.get(address);
}

/** What `visitor` reads after saying yes; `false` as long as it is not confirmed. Sent again it is the same decision. */
export async function approve(visitor: InboxVisitor, page: InboxPage, reason?: string): Promise<string | false> {
  const { action, fields } = formOf(page, '/decide', { choice: 'approve' });
  const words = wordsOf(await visitor.post(action, reason === undefined ? fields : { ...fields, reason }));
  return !/not yet confirmed|Not sent yet/.test(words) && words;
}
