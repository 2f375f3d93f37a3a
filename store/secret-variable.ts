import { readFile } from 'node:fs/promises';

/**
 * A secret by its variable `name`, or the content of the file that `<name>_FILE` names, as container engines hand secrets
 * over; less the line end. `undefined`: neither is set.
 * @throws Error whose message starts with the name of the variable and holds nothing of the secret
 */
export async function readSecretVariable(
  variables: Readonly<Record<string, string>>,
  name: string,
): Promise<string | undefined> {
  const [value, file] = [variables[name], variables[`${name}_FILE`]];
  if (file === undefined) return value;
  if (value !== undefined) throw new Error(`${name}: is set, and ${name}_FILE as well; leave one of them out`);
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new Error(`${name}_FILE: ${file} cannot be read`, { cause });
  });
  if (text.trim() === '') throw new Error(`${name}_FILE: ${file} is empty`);
  return text.trim();
}
