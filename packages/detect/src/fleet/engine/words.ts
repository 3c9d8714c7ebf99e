/** A number in a sentence: three significant digits, thousands grouped. */
export function say(value: number): string {
  if (!Number.isFinite(value)) return "an unknown number";
  const rounded = Number(value.toPrecision(3));
  if (rounded !== 0 && Math.abs(rounded) < 0.001) return rounded.toExponential();
  return Math.abs(rounded) >= 1_000 ? Math.round(value).toLocaleString("en-US") : String(rounded);
}

/** `1 error`, `3 errors`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${say(count)} ${count === 1 ? noun : plural}`;
}

export function percent(share: number): string {
  return `${say(share * 100)} %`;
}
