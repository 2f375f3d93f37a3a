/** Who may decide, as data in a file. It is read at each use: a change counts at once, at every front. */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';

export interface Approver {
  /** As the issuer of their sign-in names them. */
  readonly subject: string;
  /** For other people to read. */
  readonly name: string;
  readonly roles: readonly string[];
  /** As the tenant claim of the issuer names it. Absent: whoever signs in under that subject is meant. */
  readonly organisation?: string | undefined;
  /** Where they are told that they are asked. */
  readonly mail?: string | undefined;
}

const name = z.string().min(1).max(200);
const fileSchema = z
  .strictObject({
    version: name,
    people: z.array(
      z.strictObject({
        subject: name,
        name,
        roles: z.array(name),
        organisation: name.optional(),
        mail: z.email().optional(),
      }),
    ),
  })
  .superRefine(({ people }, context) => {
    const subjects = people.map(({ subject }) => subject);
    const twice = subjects.find((subject, index) => subjects.indexOf(subject) !== index);
    if (twice !== undefined) context.addIssue({ code: 'custom', path: ['people'], message: `${twice} is there twice` });
  });

/** The message is for the operator: it names the file and what is wrong in it. */
export class ApproversFault extends Error {
  override readonly name = 'ApproversFault';
}

/** @throws ApproversFault */
export async function readApprovers(path: string): Promise<readonly Approver[]> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new ApproversFault(`APPROVERS_FILE: ${path} cannot be read`, { cause });
  });
  const parsed = fileSchema.safeParse(jsonOf(text));
  if (parsed.success) return parsed.data.people;
  const [issue] = parsed.error.issues;
  const place = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.map(String).join('.')}: `;
  throw new ApproversFault(`APPROVERS_FILE: ${path} is not a list of approvers: ${place}${issue?.message ?? ''}`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
