import type { FrameRefusalCode } from "@trainwatch/core";
import type { RefusedReading } from "./intake.ts";

/** Told by example. */
const EXAMPLES = 3;

/** `2 bad-labels (Label a stands twice.), 1 conflict (…)`: why readings were refused, most first, as far as they are listed. */
export function refusedWords(refused: readonly RefusedReading[]): string {
  const byCode = new Map<FrameRefusalCode, { count: number; readonly examples: Set<string> }>();
  for (const { code, message } of refused) {
    const found = byCode.get(code) ?? { count: 0, examples: new Set<string>() };
    found.count++;
    if (found.examples.size < EXAMPLES) found.examples.add(message);
    byCode.set(code, found);
  }
  return [...byCode]
    .sort(([, a], [, b]) => b.count - a.count)
    .map(([code, { count, examples }]) => `${count} ${code} (${[...examples].join(" ")})`)
    .join(", ");
}
