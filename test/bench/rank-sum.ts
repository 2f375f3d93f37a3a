/**
 * The rank-sum test of Wilcoxon, Mann and Whitney: how likely two samples are to lie at least this far apart when both come
 * from the same distribution, whatever its shape. Two-sided, by the normal approximation with correction for ties: for samples
 * of twenty and more.
 * @returns 0 to 1
 * @throws for an empty sample
 */
export function rankSumP(first: readonly number[], second: readonly number[]): number {
  const [n, m] = [first.length, second.length];
  if (n === 0 || m === 0) throw new Error('There is nothing to compare.');
  const total = n + m;
  const all = [
    ...first.map((value) => ({ value, isFirst: true })),
    ...second.map((value) => ({ value, isFirst: false })),
  ];
  all.sort((a, b) => a.value - b.value);
  let [rankSum, ties] = [0, 0];
  for (let from = 0; from < total;) {
    const { value } = all[from] ?? { value: NaN };
    let to = from;
    while (to < total && all[to]?.value === value) to += 1;
    const size = to - from;
    // Equal values share the mean of their ranks, which count from 1.
    rankSum += ((from + 1 + to) / 2) * all.slice(from, to).filter(({ isFirst }) => isFirst).length;
    ties += size ** 3 - size;
    from = to;
  }
  const u = rankSum - (n * (n + 1)) / 2;
  const variance = ((n * m) / 12) * (total + 1 - ties / (total * (total - 1)));
  if (variance <= 0) return 1;
  // Half a step towards the middle, since ranks are whole and the normal distribution is not.
  const distance = Math.max(Math.abs(u - (n * m) / 2) - 0.5, 0);
  return complementaryError(distance / Math.sqrt(variance) / Math.SQRT2);
}

/** erfc for x >= 0, by Abramowitz and Stegun 7.1.26: right to 1.5e-7. */
function complementaryError(x: number): number {
  const t = 1 / (1 + 0.3275911 * x);
  const series = [0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429];
  const sum = series.reduceRight((inner, factor) => (inner + factor) * t, 0);
  return sum * Math.exp(-x * x);
}
