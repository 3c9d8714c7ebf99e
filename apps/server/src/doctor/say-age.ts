const UNITS = [
  ["d", 86_400],
  ["h", 3_600],
  ["min", 60],
  ["s", 1],
] as const;

/** How long ago, in the two units that matter: `42 s`, `3 min 5 s`, `5 h 10 min`, `12 d 4 h`. Below two minutes in seconds alone. */
export function sayAge(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 120) return `${seconds} s`;
  const first = UNITS.findIndex(([, size]) => seconds >= size);
  const [unit, size] = UNITS[first] ?? ["s", 1];
  const [nextUnit, nextSize] = UNITS[first + 1] ?? ["s", 1];
  const rest = Math.floor((seconds % size) / nextSize);
  return `${Math.floor(seconds / size)} ${unit}${rest === 0 ? "" : ` ${rest} ${nextUnit}`}`;
}
