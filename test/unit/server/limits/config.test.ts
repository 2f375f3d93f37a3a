import { describe, expect, it } from '@jest/globals';
import { DEFAULT_LIMITS, readLimits } from '../../../../server/limits/config.ts';
import { LISTEN_LIMITS } from '../../../../server/listen-http.ts';
import { read } from '../../../architecture/tree.ts';

const VARIABLES = {
  LIMIT_CALLS_PER_MINUTE: 'callsPerMinute',
  LIMIT_POLLS_PER_SECOND: 'pollsPerSecond',
  LIMIT_OPEN_TASKS: 'openTasks',
  LIMIT_STREAMS: 'streams',
  LIMIT_ANSWERS_PER_TASK: 'answersPerTask',
  LIMIT_FAILED_SIGN_INS_PER_MINUTE: 'failedSignInsPerMinute',
  LIMIT_BODY_BYTES_AT_ONCE: 'bodyBytesAtOnce',
  LIMIT_UPLOAD_BYTES: 'uploadBytes',
  LIMIT_UPLOADS: 'uploads',
  LIMIT_UPLOADED_BYTES: 'uploadedBytes',
} as const;
/** In every range but that of bytes. */
const SMALL = 7;
const ONE_BODY = 4 * 1024 * 1024;

describe('readLimits', () => {
  it('has defaults, which the README tells', () => {
    expect(readLimits({})).toEqual(DEFAULT_LIMITS);
    const readme = read('README.md');
    const told = Object.keys(VARIABLES).map(
      (name) => new RegExp(`^\\| \`${name}\` +\\| \`(\\d+)\``, 'm').exec(readme)?.[1],
    );
    expect(told).toEqual(Object.values(VARIABLES).map((member) => String(DEFAULT_LIMITS[member])));
  });

  it.each(Object.entries(VARIABLES))('reads %s', (name, member) => {
    const value = member === 'bodyBytesAtOnce' ? ONE_BODY : SMALL;
    expect(readLimits({ [name]: String(value) })).toEqual({ ...DEFAULT_LIMITS, [member]: value });
  });

  it('takes no more streams of a caller than a front has, and says so', () => {
    expect(readLimits({ LIMIT_STREAMS: '1000' }).streams).toBe(LISTEN_LIMITS.streams);
    expect(() => readLimits({ LIMIT_STREAMS: '1001' })).toThrow(
      'LIMIT_STREAMS: must be a whole number from 1 to 1000: a front serves no more to all callers together',
    );
  });

  it('leaves room for one body of the largest size', () => {
    expect(() => readLimits({ LIMIT_BODY_BYTES_AT_ONCE: String(ONE_BODY - 1) })).toThrow(
      /LIMIT_BODY_BYTES_AT_ONCE: must be a whole number from 4194304 to \d+: a single body may be as large/,
    );
  });

  it('lists every problem', () => {
    const broken = { LIMIT_OPEN_TASKS: '0', LIMIT_ANSWERS_PER_TASK: '10000', LIMIT_STREAMS: 'many' };
    expect(() => readLimits(broken)).toThrow(/LIMIT_OPEN_TASKS.*\n.*LIMIT_STREAMS.*\n.*LIMIT_ANSWERS_PER_TASK/);
  });
});
