/** The Node.js versions this project runs on. Kept free of newer syntax, so that an old Node.js can still say it is too old. */
export const MINIMUM_NODE = [20, 19];

/** @returns {string | undefined} what is wrong, in words */
export function nodeVersionProblem(version = process.versions.node) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [needMajor, needMinor] = MINIMUM_NODE;
  if (major > needMajor || (major === needMajor && minor >= needMinor)) return undefined;
  return (
    `Node.js ${version} is too old: this project needs ${MINIMUM_NODE.join('.')} or newer.\n` +
    'Install the current LTS from https://nodejs.org (or `nvm install --lts`), open a new terminal and try again.'
  );
}
