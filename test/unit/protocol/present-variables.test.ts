import { describe, expect, it } from '@jest/globals';
import { presentVariables } from '../../../protocol/present-variables.ts';

describe('presentVariables', () => {
  it('leaves out what is empty or not there, and keeps the rest as it is', () => {
    const env = { PORT: '0', HOST: '', TASK_QUEUE: undefined, LOG_LEVEL: ' ', AUTH: 'none' };
    expect(presentVariables(env)).toEqual({ PORT: '0', LOG_LEVEL: ' ', AUTH: 'none' });
  });
});
