import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import type { ActBatch } from '../../../protocol/act.ts';
import { checkAudit } from '../../../store/audit-check.ts';
import { chained, type AuditEntry } from '../../../store/audit-chain.ts';
import { signHead } from '../../../store/audit-heads.ts';
import { AuditLog } from '../../../store/audit-log.ts';
import { allRows, rowsOfTask } from '../../../store/audit-rows.ts';
import { openDatabase } from '../../../store/postgres.ts';
import { act, batch, START } from '../../support/audit-acts.ts';
import { openAudit, testAuditKeys, type TestAudit } from '../../support/audit.ts';
import { postgresKinds, startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { atScopeEnd } from '../../support/scope.ts';

const TEST_MS = 120_000;
describe.each(postgresKinds)('the audit on $name', (kind) => {
  let postgres: TestPostgres;
  let audit: TestAudit;
  const problems = async (): Promise<readonly string[]> => (await checkAudit(audit.db, testAuditKeys)).problems;

  beforeAll(async () => {
    postgres = await startPostgres(kind);
  }, TEST_MS);
  beforeEach(async () => {
    audit = await openAudit(postgres);
  }, TEST_MS);

  /** As somebody would who owns the database and has no key. */
  async function tamper(statement: string): Promise<void> {
    await audit.db.transaction().execute(async (transaction) => {
      for (const table of ['audit', 'audit_heads']) {
        await sql`alter table ${sql.table(table)} disable trigger all`.execute(transaction);
      }
      await sql.raw(statement).execute(transaction);
      for (const table of ['audit', 'audit_heads']) {
        await sql`alter table ${sql.table(table)} enable trigger all`.execute(transaction);
      }
    });
  }

  it('is only ever added to', async () => {
    await audit.log.record(batch('t', [act(0)]));
    for (const statement of ["update audit set type = 'x'", 'delete from audit', 'truncate audit']) {
      await expect(sql.raw(statement).execute(audit.db)).rejects.toThrow('only ever added to');
    }
  });

  it('keeps an act that is told again once, and what was told first', async () => {
    await audit.log.record(batch('t', [act(0), act(1)]));
    await audit.log.record(batch('t', [act(0, { at: START + 99 }), act(1), act(2)]));
    await Promise.all([audit.log.record(batch('t', [act(3)])), audit.log.record(batch('t', [act(3)]))]);
    const rows = await rowsOfTask(audit.db, 't');
    expect(rows.map(({ seq, at }) => [seq, at.getTime() - START])).toEqual([
      [0, 0],
      [1, 1],
      [2, 2],
      [3, 3],
    ]);
  });

  it('keeps both acts of one number, when a run that was reset tells another one', async () => {
    await audit.log.record(batch('t', [act(0)]));
    await audit.log.record(batch('t', [act(0, { type: 'cancel_requested', about: '', data: {} })]));
    expect(await audit.story('t')).toHaveLength(2);
    expect(await problems()).toEqual([]);
  });

  it('keeps both also when only what they say differs, and either of them once', async () => {
    const says = (choice: string): ActBatch => batch('t', [act(0, { data: { choice, at: 1e21 } })]);
    for (const choice of ['reject', 'approve', 'reject']) await audit.log.record(says(choice));
    expect(await audit.story('t')).toHaveLength(2);
    expect(await problems()).toEqual([]);
  });

  it('keeps what Postgres would not take', async () => {
    const data = { 'na\0me': 'nul \0, half \ud800', number: 1e21, small: -0.5, list: [null, true, { z: 1, a: '=1' }] };
    await audit.log.record(batch('t', [act(0, { data, about: 'a\0b', by: '\udfff' })]));
    const [row] = await rowsOfTask(audit.db, 't');
    expect(row).toMatchObject({ about: 'a\uFFFDb', by: '\uFFFD', data: { 'na\uFFFDme': 'nul \uFFFD, half \uFFFD' } });
    expect(await problems()).toEqual([]);
  });

  it(
    'is one chain whoever writes',
    async () => {
      const writers = Array.from({ length: 8 }, () => {
        const { db, close } = openDatabase(audit.url, { maxConnections: 2 });
        atScopeEnd(close);
        return new AuditLog(db, testAuditKeys);
      });
      const startedAt = performance.now();
      const write = async (log: AuditLog, writer: number): Promise<void> => {
        for (let seq = 0; seq < 25; seq += 1) {
          await log.record(batch(`own ${String(writer)}`, [act(seq)]));
          await log.record(batch('of all', [act(seq)]));
        }
      };
      await Promise.all(writers.map(write));
      process.stdout.write(`400 batches of 8 writers: ${String(Math.round(performance.now() - startedAt))} ms\n`);
      const { rows, problems: found } = await checkAudit(audit.db, testAuditKeys);
      expect({ rows, found }).toEqual({ rows: 8 * 25 + 25, found: [] });
    },
    TEST_MS,
  );

  describe('somebody without the key', () => {
    beforeEach(async () => {
      for (const task of ['a', 'b'])
        await audit.log.record(
          batch(
            task,
            [0, 1, 2].map((seq) => act(seq)),
          ),
        );
      await signHead(audit.db, testAuditKeys, 0);
      expect(await problems()).toEqual([]);
    });

    it.each([
      [`update audit set data = '{"words":"Nothing"}' where id = 2`, ['Row 2 (task a, effect) was changed, or added']],
      [`update audit set "by" = 'somebody else' where id = 6`, ['Row 6 (task b, effect) was changed']],
      [`update audit set at = at + interval '1 second' where id = 3`, ['Row 3 (task a, effect) was changed']],
      ['delete from audit where id = 2', ['Row 2 is gone', 'Task a has told 3 acts or more, and 1 of them']],
      ['delete from audit where id in (2, 3)', ['Rows 2 to 3 are gone']],
      [
        'delete from audit where id = 2; update audit set id = id - 1 where id > 2',
        ['Row 2 (task a, effect) was changed', 'Row 3 (task b', 'Row 4 (task b', 'Row 5 (task b', 'Row 6 was the last'],
      ],
      ['delete from audit where id = 6', ['Row 6 was the last one once, and is gone']],
      [
        'delete from audit where id > 4; delete from audit_heads',
        // The chain ends whole: what tells is a head that was noted elsewhere, or that the task goes on.
        [],
      ],
      [
        `insert into audit select 7, 'c', 0, now(), 'voted', '', 'cfo', '{}', key_id, hash, md5('x') || md5('y') from audit where id = 6`,
        ['Row 7 (task c, voted) was changed, or added by somebody without the key'],
      ],
      [`update audit_heads set signature = repeat('a', 64)`, ['The head of']],
    ])('is found out: %s', async (statement, told) => {
      await tamper(statement);
      const found = await problems();
      for (const sentence of told) expect(found.join('\n')).toContain(sentence);
      expect(found.length > 0).toBe(told.length > 0);
    });

    it('is found out when the newest rows and heads are gone and the task goes on', async () => {
      await tamper('delete from audit where id > 4; delete from audit_heads');
      await audit.log.record(batch('b', [act(3)]));
      expect((await problems()).join()).toContain('Task b has told 4 acts or more, and 2 of them are missing');
    });

    it('is found out by a head that was noted elsewhere', async () => {
      const head = await signHead(audit.db, testAuditKeys, 0);
      await tamper('delete from audit where id > 4; delete from audit_heads');
      const noted = { id: head?.id ?? 0n, hash: head?.hash ?? '' };
      expect((await checkAudit(audit.db, testAuditKeys, noted)).problems).toEqual([
        'Row 6 was the last one once, and is gone.',
      ]);
    });

    it('cannot chain rows of their own', async () => {
      const rows = [];
      for await (const row of allRows(audit.db)) rows.push(row);
      const last = rows.at(-1)!;
      const forged = chained([{ ...(last as AuditEntry), taskId: 'forged', seq: 0 }], last, [
        { id: 'test', key: Buffer.alloc(32) },
      ]);
      const [{ id, taskId, seq, at, type, about, by, data, keyId, prevHash, hash }] = forged as [(typeof rows)[0]];
      await audit.db
        .insertInto('audit')
        .values({
          id,
          task_id: taskId,
          seq,
          at,
          type,
          about,
          by,
          data: JSON.stringify(data),
          key_id: keyId,
          prev_hash: prevHash,
          hash,
        })
        .execute();
      expect(await problems()).toEqual([expect.stringContaining('task forged, effect) was changed, or added')]);
    });
  });

  it('says which key is missing', async () => {
    await audit.log.record(batch('t', [act(0)]));
    const { problems: found } = await checkAudit(audit.db, [{ id: 'another', key: Buffer.alloc(32) }]);
    expect(found).toEqual(['Row 1 (task t, effect) is chained with key test, which is not at hand.']);
  });

  it('goes on under a new key, with the old one at hand', async () => {
    await audit.log.record(batch('t', [act(0)]));
    const renewed = [{ id: 'new', key: Buffer.alloc(32, 7) }, testAuditKeys[0]] as const;
    await new AuditLog(audit.db, renewed).record(batch('t', [act(1)]));
    await signHead(audit.db, renewed, 0);
    expect((await checkAudit(audit.db, renewed)).problems).toEqual([]);
  });

  it('signs the head once an hour, whoever wants to', async () => {
    expect(await signHead(audit.db, testAuditKeys)).toBeUndefined();
    await audit.log.record(batch('t', [act(0)]));
    const heads = await Promise.all([1, 2, 3].map(() => signHead(audit.db, testAuditKeys)));
    expect(heads.filter((head) => head !== undefined)).toHaveLength(1);
  });

  it('takes what others tell, each under a name of its own', async () => {
    const viewed = { taskId: 't', type: 'viewed', about: 'one', by: 'cfo', at: START, data: { digest: 'd' } } as const;
    await audit.log.append(viewed);
    await audit.log.append(viewed);
    await audit.log.append({ ...viewed, about: 'two' });
    expect(await audit.story('t')).toEqual(['null viewed', 'null viewed']);
    expect(await problems()).toEqual([]);
  });
});
