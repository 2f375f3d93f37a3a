import { describe, expect, it } from '@jest/globals';
import type { OutsideAct } from '../../../../protocol/act.ts';
import { createActTeller } from '../../../../server/approvals/act-teller.ts';
import { createLog } from '../../../../server/log.ts';
import { StoreDown } from '../../../../store/store-down.ts';
import { eventually } from '../../../support/eventually.ts';

const log = createLog('silent');

function act(taskId: string, about = 'somebody'): OutsideAct {
  return { taskId, type: 'result_read', about, at: 1, data: {} };
}

/** An audit that does what `answer` says. */
function auditThat(answer: (act: OutsideAct) => Promise<void>) {
  const asked: string[] = [];
  const append = async (told: OutsideAct): Promise<void> => {
    asked.push(`${told.taskId} ${told.about}`);
    await answer(told);
  };
  return { asked, append };
}

describe('telling an act that nobody waits for', () => {
  it('tells each once', async () => {
    const audit = auditThat(async () => undefined);
    const tell = createActTeller(audit, log);
    for (const each of [act('a'), act('a'), act('b'), act('a', 'another')]) tell(each);
    await eventually(() => audit.asked.length === 3);
    expect(audit.asked).toEqual(['a somebody', 'b somebody', 'a another']);
  });

  it('tries again while the database is away, for as long as it takes', async () => {
    let failures = 3;
    const written: OutsideAct[] = [];
    const audit = auditThat(async (told) => {
      failures -= 1;
      if (failures >= 0) throw new StoreDown();
      written.push(told);
    });
    createActTeller(audit, log, 1)(act('a'));
    await eventually(() => written.length === 1);
    expect(audit.asked).toHaveLength(4);
  });

  it('tries a few times what cannot be written for another reason, and then does not remember it as told', async () => {
    const audit = auditThat(async () => Promise.reject(new Error('deadlock detected')));
    const tell = createActTeller(audit, log, 1);
    tell(act('a'));
    await eventually(() => audit.asked.length === 5);
    await eventually(() => {
      tell(act('a'));
      return audit.asked.length === 6;
    });
  });

  it('says once that the audit is away, however many acts wait for it', async () => {
    const said: unknown[] = [];
    let isAway = true;
    const audit = auditThat(async () => {
      if (isAway) throw new StoreDown();
    });
    const tell = createActTeller(audit, { warn: (about: object, text?: string) => said.push([about, text]) }, 1);
    for (const name of ['a', 'b', 'c']) tell(act(name));
    await eventually(() => audit.asked.length > 9);
    isAway = false;
    await eventually(() => audit.asked.length > 12);
    expect(said).toEqual([
      [
        expect.objectContaining({ taskId: 'a', type: 'result_read' }),
        'the audit cannot be told now: it is tried again',
      ],
    ]);
  });

  it('lets only so many wait for a database that does not answer, and tells them once it does', async () => {
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const audit = auditThat(() => answered);
    const tell = createActTeller(audit, log);
    for (let index = 0; index < 1_500; index += 1) tell(act(String(index)));
    expect(audit.asked).toHaveLength(1_000);
    answer();
    await eventually(() => {
      tell(act('1499'));
      return audit.asked.at(-1) === '1499 somebody';
    });
  });

  it('tells nobody where there is no audit', () => {
    expect(() => createActTeller(undefined, log)(act('a'))).not.toThrow();
  });
});
