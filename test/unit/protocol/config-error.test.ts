import { describe, expect, it } from '@jest/globals';
import { ConfigError } from '../../../protocol/config-error.ts';

describe('ConfigError', () => {
  it('lists every problem on a line of its own, a finding by its path', () => {
    const cause = new Error('EACCES');
    const error = new ConfigError(['DATA_DIR: no', { path: ['PORT', 0], message: 'must be a port' }], { cause });
    expect(error.message.split('\n')).toEqual([
      'The configuration has problems:',
      '  - DATA_DIR: no',
      '  - PORT.0: must be a port',
    ]);
    expect([error.name, error.cause]).toEqual(['ConfigError', cause]);
  });
});
