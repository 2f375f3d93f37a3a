/** What the processes print, made readable in one terminal. */
import { createInterface } from 'node:readline';

/** Fields that say nothing in a terminal that shows one machine. */
const NOISE = new Set(['level', 'time', 'msg', 'pid', 'hostname', 'name', 'v', 'role', 'process', 'sdkComponent']);
const LEVELS = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' };

export function forwardLines(stream, onLine) {
  createInterface({ input: stream, crlfDelay: Infinity }).on('line', (line) => {
    if (line.trim() !== '') onLine(readable(line));
  });
}

/** A JSON log line as `level message key=value …`, the first line of a long message; anything else as it is. */
export function readable(line) {
  if (!line.startsWith('{')) return line;
  let entry;
  try {
    entry = JSON.parse(line);
  } catch {
    return line;
  }
  if (typeof entry.msg !== 'string') return line;
  const fields = Object.entries(entry).filter(([key]) => !NOISE.has(key));
  const rest = fields.map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  return [LEVELS[entry.level] ?? entry.level ?? 'info', entry.msg.split('\n', 1)[0], ...rest].join(' ');
}
