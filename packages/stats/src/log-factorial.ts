const EXACT_BELOW = 256;
const EXACT: readonly number[] = Array.from({ length: EXACT_BELOW }).reduce<number[]>((logs, _, at) => {
  logs.push(at === 0 ? 0 : (logs[at - 1] ?? 0) + Math.log(at));
  return logs;
}, []);

/** ln(count!) for whole counts: a table, and Stirling's series from 256 on, where its error is below 1e-13. */
export function logFactorial(count: number): number {
  const exact = EXACT[count];
  if (exact !== undefined) return exact;
  const inverse = 1 / count;
  return count * Math.log(count) - count + 0.5 * Math.log(2 * Math.PI * count) + inverse / 12 - inverse ** 3 / 360 + inverse ** 5 / 1_260;
}

/** ln of the ways to choose `count` of `of`, both whole. */
export function logChoose(of: number, count: number): number {
  return logFactorial(of) - logFactorial(count) - logFactorial(of - count);
}
