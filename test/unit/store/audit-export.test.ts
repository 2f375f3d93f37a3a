import { describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import type { AuditRow } from '../../../store/audit-chain.ts';
import { toCsv, toJson } from '../../../store/audit-export.ts';

const ROW: AuditRow = {
  id: 7n,
  taskId: 'T',
  seq: 0,
  at: new Date(0),
  type: 'created',
  about: '',
  by: 'Requester',
  data: { tool: 'buy' },
  keyId: 'k',
  prevHash: 'p',
  hash: 'h',
};

const cells = (row: Partial<AuditRow>): Record<string, string> =>
  parse<Record<string, string>>(toCsv([{ ...ROW, ...row }]), { columns: true })[0]!;

describe('the acts of a task', () => {
  it('are JSON that other programs read', () => {
    expect(JSON.parse(toJson([ROW]))).toEqual([{ ...ROW, id: '7', at: '1970-01-01T00:00:00.000Z' }]);
  });

  it('are CSV with a heading, also when there are none', () => {
    expect(toCsv([])).toBe('id,taskId,seq,at,type,about,by,data,keyId,prevHash,hash\r\n');
    expect(cells({})).toMatchObject({ id: '7', seq: '0', at: '1970-01-01T00:00:00.000Z', data: '{"tool":"buy"}' });
    expect(cells({ seq: null, by: null })).toMatchObject({ seq: '', by: '' });
  });

  it.each(['=1+1', '+cmd', '-cmd', '@cmd', ' =1', '\tx', '＝1'])('are no formula in a spreadsheet: %j', (text) => {
    expect(cells({ by: text })['by']).toBe(`'${text}`);
  });

  it('are none either where semicolons stand between cells, and the data are the same', () => {
    const data = { reason: "x;=cmd|' /C calc'!A0;" };
    const row = { ...ROW, by: 'Ann;=1+1', data };
    expect(toCsv([row])).not.toMatch(/;[\s"]*=/);
    expect(JSON.parse(cells(row)['data'] ?? '')).toEqual(data);
  });

  it.each(['a "b"', 'a,b', 'a\nb', 'plain', "it's"])('keep every text: %j', (text) => {
    expect(cells({ by: text, data: { text } })).toMatchObject({ by: text, data: JSON.stringify({ text }) });
  });
});
