/** What reaches a task while no worker runs, in each order, and how the task ends by it (I7). */

export type EndingStep = 'answer' | 'cancel' | 'deadline';

export const ENDING_ORDERS: readonly (readonly [readonly EndingStep[], 'cancelled' | 'completed' | 'failed'])[] = [
  [['answer', 'cancel', 'deadline'], 'cancelled'],
  [['cancel', 'answer', 'deadline'], 'cancelled'],
  [['cancel', 'deadline', 'answer'], 'cancelled'],
  [['answer', 'deadline', 'cancel'], 'failed'],
  [['deadline', 'answer', 'cancel'], 'failed'],
  [['deadline', 'cancel', 'answer'], 'failed'],
  [['answer', 'deadline'], 'failed'],
  [['deadline', 'answer'], 'failed'],
  [['cancel', 'answer'], 'cancelled'],
  [['answer', 'cancel'], 'cancelled'],
  [['answer'], 'completed'],
];
