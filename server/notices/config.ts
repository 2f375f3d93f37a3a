/** Who is told what happens to tasks, in the environment of a front. */
import { z } from 'zod';
import { readMail, type MailConfig } from '../../mail/config.ts';
import { ConfigError } from '../../protocol/config-error.ts';
import { readSecretVariable } from '../../store/secret-variable.ts';
import type { InboxConfig } from '../inbox/config.ts';

export interface NoticesConfig {
  /** Absent: nobody gets mail. */
  readonly mail: MailConfig | undefined;
  /** Absent: no system is told. */
  readonly webhook: WebhookConfig | undefined;
}

export interface WebhookConfig {
  /** Wherever the operator wants it to go: also within their own network. */
  readonly url: URL;
  /** As Standard Webhooks write it: base64, with or without `whsec_` before it. */
  readonly secret: string;
}

const MIN_SECRET_BYTES = 24;
const MAX_SECRET_BYTES = 64;

const environment = z.object({
  WEBHOOK_URL: z
    .string()
    .refine(isWebhookUrl, { error: 'must be an http or https URL without user or password in it' })
    .optional(),
});

/** @throws ConfigError that lists every problem and holds nothing of a secret */
export async function readNotices(
  variables: Readonly<Record<string, string>>,
  inbox: InboxConfig | undefined,
): Promise<NoticesConfig> {
  const parsed = environment.safeParse(variables);
  const problems: (string | z.core.$ZodIssue)[] = [...(parsed.error?.issues ?? [])];
  const told = (error: unknown): undefined => {
    if (error instanceof ConfigError) problems.push(...error.problems);
    else problems.push(error instanceof Error ? error.message : String(error));
  };
  const mail = await readMail(variables).catch(told);
  const secret = await readSecretVariable(variables, 'WEBHOOK_SECRET').catch(told);
  const { WEBHOOK_URL: url } = variables;
  if (mail !== undefined && inbox === undefined) {
    problems.push(
      'SMTP_URL: mail leads to the inbox, where nobody can sign in: set INBOX_CLIENT_ID too, or leave it out',
    );
  }
  if (url !== undefined && secret === undefined && problems.length === 0) {
    problems.push('WEBHOOK_SECRET: is needed by WEBHOOK_URL: it signs what is sent');
  }
  if (secret !== undefined && !isSecret(secret)) {
    problems.push(
      `WEBHOOK_SECRET: must be base64 of ${MIN_SECRET_BYTES} to ${MAX_SECRET_BYTES} bytes, such as what ` +
        'openssl rand -base64 32 prints; whsec_ may stand before it',
    );
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return {
    mail,
    webhook: url === undefined || secret === undefined ? undefined : { url: new URL(url), secret },
  };
}

function isWebhookUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

function isSecret(text: string): boolean {
  const base64 = text.replace(/^whsec_/, '');
  const { length } = Buffer.from(base64, 'base64');
  return /^[A-Za-z0-9+/]+=*$/.test(base64) && length >= MIN_SECRET_BYTES && length <= MAX_SECRET_BYTES;
}
