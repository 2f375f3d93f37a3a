import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { InboxConfig } from '../../../../server/inbox/config.ts';
import { readNotices } from '../../../../server/notices/config.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const inbox: InboxConfig = { approversFile: 'x', decisionKeys: [Buffer.alloc(32)], url: undefined, signIn: 'local' };
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const MAIL = { SMTP_URL: 'smtps://user:hush@mail.example:465', MAIL_FROM: 'tasks@example.com' };
const HOOK = { WEBHOOK_URL: 'http://127.0.0.1:9/hook', WEBHOOK_SECRET: SECRET };

describe('readNotices', () => {
  it('tells nobody by default', async () => {
    expect(await readNotices({}, inbox)).toEqual({ mail: undefined, webhook: undefined });
    expect(await readNotices({ MAIL_FROM: 'tasks@example.com' }, undefined)).toMatchObject({ mail: undefined });
  });

  it('takes a mail server and a receiver wherever they are', async () => {
    expect(await readNotices({ ...MAIL, ...HOOK }, inbox)).toEqual({
      mail: { smtpUrl: new URL(MAIL.SMTP_URL), from: 'tasks@example.com' },
      webhook: { url: new URL(HOOK.WEBHOOK_URL), secret: SECRET },
    });
  });

  it('takes secrets from files', async () => {
    const folder = await temporaryFolder();
    const [smtp, secret] = [join(folder, 'smtp'), join(folder, 'secret')];
    await writeFile(smtp, `${MAIL.SMTP_URL}\n`);
    await writeFile(secret, SECRET);
    const files = {
      MAIL_FROM: MAIL.MAIL_FROM,
      SMTP_URL_FILE: smtp,
      WEBHOOK_URL: HOOK.WEBHOOK_URL,
      WEBHOOK_SECRET_FILE: secret,
    };
    expect(await readNotices(files, inbox)).toEqual(await readNotices({ ...MAIL, ...HOOK }, inbox));
  });

  it.each([
    ['MAIL_FROM: must be a mail address', { ...MAIL, MAIL_FROM: 'a@b.example\r\nBcc: c@d.example' }],
    ['MAIL_FROM: is needed', { SMTP_URL: MAIL.SMTP_URL }],
    ['SMTP_URL: must be a URL', { ...MAIL, SMTP_URL: 'https://user:hush@mail.example' }],
    ['SMTP_URL: must be a URL', { ...MAIL, SMTP_URL: 'hush' }],
    ['SMTP_URL_FILE: /nowhere cannot be read', { MAIL_FROM: MAIL.MAIL_FROM, SMTP_URL_FILE: '/nowhere' }],
    ['WEBHOOK_URL: must be', { ...HOOK, WEBHOOK_URL: 'https://user:hush@host.example' }],
    ['WEBHOOK_URL: must be', { ...HOOK, WEBHOOK_URL: 'file:///etc/passwd' }],
    ['WEBHOOK_URL: must be', { ...HOOK, WEBHOOK_URL: 'host.example' }],
    ['WEBHOOK_SECRET: is needed', { WEBHOOK_URL: HOOK.WEBHOOK_URL }],
    ['WEBHOOK_SECRET: must be base64', { ...HOOK, WEBHOOK_SECRET: 'hush' }],
    ['WEBHOOK_SECRET: must be base64', { ...HOOK, WEBHOOK_SECRET: 'hush, and not base64 at all, however long' }],
  ])('says what is wrong and no secret: %s', async (problem, variables) => {
    const error = await readNotices(variables, inbox).catch((thrown: unknown) => thrown);
    expect(String(error)).toContain(problem);
    expect(String(error)).not.toContain('hush');
  });

  it('sends no mail where nobody could follow it', async () => {
    await expect(readNotices(MAIL, undefined)).rejects.toThrow('SMTP_URL: mail leads to the inbox');
  });
});
