import { describe, expect, it } from '@jest/globals';
import { decidedOf, type Approval } from '../../../protocol/approval.ts';
import { withApproval, withDecided, withdrawAll } from '../../../protocol/open-approvals.ts';
import { anApproval } from '../../support/an-approval.ts';

function approval(id: string, title = 'Order'): Approval {
  return anApproval({ id, title });
}

describe('the approvals that a task waits for', () => {
  it('are added, and replaced by id', () => {
    expect(withApproval({}, approval('a'))).toEqual({ approvals: [approval('a')] });
    const open = { approvals: [approval('a'), approval('b')] };
    expect(withApproval(open, approval('b', 'Other'))).toEqual({ approvals: [approval('a'), approval('b', 'Other')] });
  });

  it('leave when they are decided, and never come back', () => {
    const decided = decidedOf(approval('a'), 'expired', 5);
    const after = withDecided({ approvals: [approval('a'), approval('b')] }, decided);
    expect(after).toEqual({ approvals: [approval('b')], decided: [decided] });
    expect(withApproval(after ?? {}, approval('a'))).toBeUndefined();
    expect(withDecided(after ?? {}, decided)).toBeUndefined();
    expect(withDecided({}, decided)).toBeUndefined();
  });

  it('are withdrawn together', () => {
    expect(withdrawAll({}, 5)).toBeUndefined();
    expect(withdrawAll({ approvals: [approval('a'), approval('b')] }, 5)).toEqual({
      approvals: [],
      decided: [decidedOf(approval('a'), 'withdrawn', 5), decidedOf(approval('b'), 'withdrawn', 5)],
    });
  });

  it('are remembered for whoever comes late, the latest twenty', () => {
    const decided = Array.from({ length: 20 }, (_, index) => decidedOf(approval(String(index)), 'approved', index));
    const after = withDecided({ approvals: [approval('last')], decided }, decidedOf(approval('last'), 'approved', 99));
    expect(after?.decided).toHaveLength(20);
    expect(after?.decided?.at(0)?.id).toBe('1');
    expect(after?.decided?.at(-1)?.id).toBe('last');
  });
});
