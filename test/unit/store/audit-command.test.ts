import { describe, expect, it } from '@jest/globals';
import { AuditUsageError, parseAuditCommand } from '../../../store/audit-command.ts';

const HASH = 'ab'.repeat(32);

describe('parseAuditCommand', () => {
  it('understands what there is', () => {
    expect(parseAuditCommand(['verify'])).toEqual({ verb: 'verify' });
    expect(parseAuditCommand(['verify', '--head', `12:${HASH}`])).toEqual({
      verb: 'verify',
      head: { id: 12n, hash: HASH },
    });
    expect(parseAuditCommand(['export', 'T'])).toEqual({ verb: 'export', taskId: 'T', format: 'json' });
    expect(parseAuditCommand(['export', 'T', '--format', 'csv'])).toMatchObject({ format: 'csv' });
  });

  it.each([
    [[], 'Usage'],
    [['verify', 'T'], 'Usage'],
    [['verify', '--format', 'csv'], 'Usage'],
    [['export'], 'Usage'],
    [['export', 'T', 'U'], 'Usage'],
    [['export', 'T', '--head', `1:${HASH}`], 'Usage'],
    [['export', 'T', '--format', 'xml'], '--format: json or csv'],
    [['verify', '--head', '12'], '--head: the number and the hash of a row'],
    [['verify', '--loud'], '--loud'],
  ])('says what is wrong with %j', (args, told) => {
    expect(() => parseAuditCommand(args)).toThrow(AuditUsageError);
    expect(() => parseAuditCommand(args)).toThrow(told);
  });
});
