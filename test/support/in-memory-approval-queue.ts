/** A small double of the queue for tests of the inbox. The truth is the one on Postgres. */
import type { ApprovalQueue, Asked, QueuedApproval } from '../../protocol/approval-queue.ts';
import type { ApprovalCase } from '../../server/approvals/approval-desk.ts';

export class InMemoryApprovalQueue implements ApprovalQueue {
  rows: QueuedApproval[] = [];
  /** Still there for a page that goes on behind them. */
  readonly #removed = new Set<string>();
  /** Thrown by each call, while it is set. */
  error: Error | undefined;

  /** The open approvals of `found`, as the projection would have them. */
  add(found: ApprovalCase): void {
    const { workflowId, tool, open } = found;
    for (const approval of open) {
      const { id: approvalId, title, amount, requestedBy, requester = {}, roles, people, openedAt, dueAt } = approval;
      const times = { openedAt: new Date(openedAt), dueAt: new Date(dueAt) };
      const shown = { title, amount, requestedBy, requester, roles, people };
      this.rows.push({ approvalId, workflowId, tool, ...shown, ...times, claimedBy: undefined });
    }
  }

  async list(
    { subjects, roles }: Asked,
    { limit, after }: { limit: number; after?: string | undefined },
  ): Promise<readonly QueuedApproval[]> {
    this.#failIfTold();
    const fitting = this.rows
      .filter(
        (row) =>
          row.people.some((subject) => subjects.includes(subject)) || row.roles.some((role) => roles.includes(role)),
      )
      .toSorted((a, b) => a.dueAt.getTime() - b.dueAt.getTime() || (a.approvalId < b.approvalId ? -1 : 1));
    const start = after === undefined ? 0 : fitting.findIndex(({ approvalId }) => approvalId === after) + 1;
    const behind = fitting.slice(start).filter(({ approvalId }) => !this.#removed.has(approvalId));
    return behind.slice(0, limit);
  }

  async find(approvalId: string): Promise<QueuedApproval | undefined> {
    this.#failIfTold();
    return this.rows.find((row) => row.approvalId === approvalId);
  }

  async claim(approvalId: string, subject: string): Promise<boolean> {
    const row = await this.find(approvalId);
    if (row === undefined || (row.claimedBy ?? subject) !== subject) return false;
    this.#change(approvalId, { claimedBy: subject });
    return true;
  }

  async release(approvalId: string, subject: string): Promise<boolean> {
    const row = await this.find(approvalId);
    if (row?.claimedBy !== subject) return false;
    this.#change(approvalId, { claimedBy: undefined });
    return true;
  }

  async remove(approvalId: string): Promise<void> {
    this.#failIfTold();
    this.#removed.add(approvalId);
  }

  #change(approvalId: string, change: Partial<QueuedApproval>): void {
    this.rows = this.rows.map((row) => (row.approvalId === approvalId ? { ...row, ...change } : row));
  }

  #failIfTold(): void {
    if (this.error !== undefined) throw this.error;
  }
}
