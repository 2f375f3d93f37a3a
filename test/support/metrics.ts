/** Reads `/metrics` as Prometheus does. */
import { patiently } from './patience.js';

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export async function readMetrics(origin: string): Promise<readonly Sample[]> {
  const response = await fetch(`${origin}/metrics`, { signal: AbortSignal.timeout(patiently(10_000)) });
  if (!response.ok) throw new Error(`/metrics answered ${String(response.status)}`);
  return (await response.text())
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(parsed);
}

/** The sum of the samples of `name` that carry `labels` among theirs; 0 when there is none. */
export async function readMetric(
  origin: string,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): Promise<number> {
  const samples = await readMetrics(origin);
  return samples
    .filter((sample) => sample.name === name)
    .filter((sample) => Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
    .reduce((sum, { value }) => sum + value, 0);
}

function parsed(line: string): Sample {
  const [, name = '', labels = '', value = ''] = /^([\w:]+)(?:\{(.*)\})? (\S+)/.exec(line) ?? [];
  const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label = '', text = '']) => [label, text]);
  return { name, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) };
}
