/** Is the principal key the one under which the tasks of the namespace were made? */
import { tsImport } from 'tsx/esm/api';
import { fail, ok } from './finding.js';

export async function principalKeyFindings(namespace, { data }, { dataDir }, env = process.env) {
  // The scripts are plain JavaScript; what a principal key is, is said there.
  const { readKeptRing } = await tsImport('../server/principal-key.ts', import.meta.url);
  const { checkRing, keyIdsOf, PRINCIPAL_CHECK_NAME } = await tsImport('../server/principal-check.ts', import.meta.url);
  const variables = Object.fromEntries(Object.entries(env).filter(([, value]) => value));
  let ring;
  try {
    ring = await readKeptRing(variables, dataDir);
  } catch (error) {
    return [fail(error.problems?.join('; ') ?? error.message, 'the principal key: 32 bytes, or two keys and a comma')];
  }
  const recorded = data[PRINCIPAL_CHECK_NAME];
  const known = recorded === undefined || recorded === '' ? undefined : recorded.split(',').join(' and ');
  if (ring === undefined) {
    if (known === undefined) return [];
    return [fail(`there is no principal key here, and the tasks of "${namespace}" were made under ${known}`, RESTORE)];
  }
  const ids = keyIdsOf(ring);
  if (known === undefined) return [ok(`principal key ${ids[0]}: no task of "${namespace}" was made under another one`)];
  if (checkRing(ring, recorded).isKnown) return [ok(`principal key ${ids[0]}: that of the tasks of "${namespace}"`)];
  const wrong = ids.filter((id) => !recorded.split(',').includes(id)).join(' and ');
  return [
    fail(
      `wrong principal key ${wrong}: the tasks of "${namespace}" were made under ${known}, and their callers do not find them`,
      `${RESTORE}. If it is lost for good: temporal operator namespace update -n ${namespace} ` +
        `--data ${PRINCIPAL_CHECK_NAME}=${ids.join(',')}`,
    ),
  ];
}

const RESTORE = 'restore principal.key, or the PRINCIPAL_KEY of the other fronts, from the backup';
