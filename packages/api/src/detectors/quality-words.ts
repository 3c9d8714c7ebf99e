import { sayInteger, type DetectorQuality } from "@trainwatch/core";
import type { MeasuredQuality } from "@trainwatch/detect";

/** Figures of the bench in the words of the catalogue; null where none was measured. */
export function qualityWords(measured: MeasuredQuality | undefined, command: string): DetectorQuality | null {
  if (measured === undefined) return null;
  const { falseAlarms, delay, recall } = measured;
  if (falseAlarms === null && delay === null && recall === null) return null;
  return {
    falseAlarms:
      falseAlarms === null
        ? null
        : `${sayInteger(falseAlarms.alarms)} in ${sayInteger(falseAlarms.per)} ${falseAlarms.unit}, at most ${falseAlarms.upper95} (95 %)`,
    delay: delay === null ? null : `${delay.median} ${delay.unit}, median${delay.p90 === null ? "" : `; ${delay.p90} ${delay.unit}, p90`}`,
    recall: recall === null ? null : `${sayInteger(recall.found)} of ${sayInteger(recall.of)}, at least ${sayPercent(recall.low95)} (95 %)`,
    command,
  };
}

/** Rounded down: it is a lower bound. */
function sayPercent(share: number): string {
  return `${Math.floor(share * 1_000) / 10} %`;
}
