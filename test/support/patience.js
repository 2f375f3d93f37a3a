/**
 * How long the tests wait before they give something up. Such a limit tells a hang from work, not fast from slow: where many
 * processes share few processors each of them may take several times as long as it does alone.
 */
const PATIENCE = 3;

/**
 * @param {number} ms what it may take at most on a machine that has nothing else to do
 * @returns {number} milliseconds
 */
export function patiently(ms) {
  return PATIENCE * ms;
}
