/** The mail server, in the environment of whoever sends. */
import { z } from 'zod';
import { ConfigError } from '../protocol/config-error.ts';
import { readSecretVariable } from '../store/secret-variable.ts';

export interface MailConfig {
  /** `smtp:` or `smtps:`, with a password in it as a rule. */
  readonly smtpUrl: URL;
  readonly from: string;
}

const environment = z.object({
  MAIL_FROM: z.string().pipe(z.email('must be a mail address, such as tasks@example.com')).optional(),
});

/**
 * `undefined`: nobody gets mail.
 * @throws ConfigError that lists every problem and holds nothing of a secret
 */
export async function readMail(variables: Readonly<Record<string, string>>): Promise<MailConfig | undefined> {
  const parsed = environment.safeParse(variables);
  const problems: (string | z.core.$ZodIssue)[] = [...(parsed.error?.issues ?? [])];
  const smtpText = await readSecretVariable(variables, 'SMTP_URL').catch((error: unknown): undefined => {
    problems.push(error instanceof Error ? error.message : String(error));
  });
  const { MAIL_FROM: from } = variables;
  if (smtpText !== undefined && !isSmtpUrl(smtpText)) {
    problems.push('SMTP_URL: must be a URL such as smtps://user:password@host:465');
  }
  if (smtpText !== undefined && from === undefined) problems.push('MAIL_FROM: is needed by SMTP_URL: who sends');
  if (problems.length > 0) throw new ConfigError(problems);
  return smtpText === undefined || from === undefined ? undefined : { smtpUrl: new URL(smtpText), from };
}

function isSmtpUrl(text: string): boolean {
  return URL.canParse(text) && /^smtps?:$/.test(new URL(text).protocol) && new URL(text).hostname !== '';
}
