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

  it('does not remember as told what could not be written for another reason', async () => {
    const audit = auditThat(async () => Promise.reject(new Error('no such column')));
    const tell = createActTeller(audit, log);
    await eventually(() => {
      tell(act('a'));
      return audit.asked.length > 1;
    });
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
