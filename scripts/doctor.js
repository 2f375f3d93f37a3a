/** `npm run doctor`: what is wrong with this set-up and how to mend it. Changes nothing. Exit code 1 on any FAIL. */
import { dependencyProblem } from './dependencies.js';
import { checkErp, checkPorts } from './doctor-processes.js';
import { checkFolder, checkPrincipalKey } from './doctor-files.js';
import { checkDatabase } from './doctor-database.js';
import { checkEncryption } from './doctor-encryption.js';
import { checkTemporalProgram, checkTemporalService } from './doctor-temporal.js';
import { fail, ok } from './finding.js';
import { nodeVersionProblem } from './node-version.js';
import { readSettings } from './settings.js';
import { exitWith } from './setup-error.js';

try {
  const settings = readSettings();
  const findings = [checkNode(), checkDependencies()];
  findings.push(await checkTemporalProgram());
  // The clients of Temporal and Postgres are among the packages.
  if (dependencyProblem() === undefined) findings.push(...(await checkTemporalService(settings)));
  if (dependencyProblem() === undefined) findings.push(...(await checkDatabase(settings)));
  if (dependencyProblem() === undefined) findings.push(...(await checkEncryption(settings)));
  findings.push(...(await checkPorts(settings)));
  findings.push(checkFolder('DATA_DIR', settings.dataDir), checkFolder('BLOB_DIR', settings.blobDir));
  findings.push(checkPrincipalKey(settings.dataDir));
  findings.push(await checkErp(settings));
  for (const { level, what, mend } of findings) {
    console.log(`${level.padEnd(5)}${what}`);
    if (mend !== undefined) console.log(`     → ${mend}`);
  }
  const count = (level) => findings.filter((finding) => finding.level === level).length;
  console.log(`\n${count('OK')} ok, ${count('WARN')} to look at, ${count('FAIL')} to mend`);
  process.exitCode = count('FAIL') > 0 ? 1 : 0;
} catch (error) {
  exitWith(error);
}

function checkNode() {
  const problem = nodeVersionProblem();
  return problem === undefined ? ok(`Node.js ${process.versions.node}`) : fail(...problem.split('\n'));
}

function checkDependencies() {
  const problem = dependencyProblem();
  return problem === undefined ? ok('packages as in the lockfile') : fail(`packages: ${problem}`, 'npm ci');
}
