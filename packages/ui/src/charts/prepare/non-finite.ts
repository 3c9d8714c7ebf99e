import type { NonFiniteWord, SeriesLine } from "@trainwatch/core";
import { formatInteger } from "../../format/index.ts";
import { bucketEnd } from "./buckets.ts";

/** A stretch of x whose values are NaN: washed, with the word and the count; never a zero, never a line across (B1). */
export interface NaNBand {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  readonly firstStep: number;
  readonly text: string;
}

/** Values that are infinite: an arrow on the edge at their step. */
export interface InfinityMark {
  readonly x: number;
  readonly step: number;
  readonly edge: "top" | "bottom";
  readonly count: number;
  readonly text: string;
}

export interface NonFiniteMarks {
  readonly bands: readonly NaNBand[];
  readonly infinities: readonly InfinityMark[];
}

export function nonFiniteMarks(line: SeriesLine, axisIsStep: boolean): NonFiniteMarks {
  const stretches: Stretch[] = [];
  const infinities: InfinityMark[] = [];
  for (const [bucket, word, count, firstStep] of [...line.nonFinite].sort((a, b) => a[0] - b[0])) {
    const from = positionOf(line, bucket, firstStep, axisIsStep);
    if (word !== "NaN") {
      infinities.push({ x: from, step: firstStep, edge: word === "Infinity" ? "top" : "bottom", count, text: countedWord(word, count) });
      continue;
    }
    const to = Math.max(from, bucketEnd(line, bucket, axisIsStep));
    const before = stretches.at(-1);
    if (before !== undefined && bucket === before.bucket + 1) {
      stretches[stretches.length - 1] = { ...before, to: Math.max(before.to, to), count: before.count + count, bucket };
    } else {
      stretches.push({ from, to, count, firstStep, bucket });
    }
  }
  return {
    bands: stretches.map(({ from, to, count, firstStep }) => ({ from, to, count, firstStep, text: countedWord("NaN", count) })),
    infinities,
  };
}

/** Neighbouring buckets with NaN in them; `bucket` is the last one taken. */
interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  readonly firstStep: number;
  readonly bucket: number;
}

/** The exact place on the step axis; elsewhere the bucket's beginning. */
function positionOf(line: SeriesLine, bucket: number, firstStep: number, axisIsStep: boolean): number {
  return axisIsStep ? firstStep : (line.x[bucket] ?? 0);
}

const WORDS = { NaN: "NaN", Infinity: "+Inf", "-Infinity": "−Inf" } satisfies Record<NonFiniteWord, string>;

function countedWord(word: NonFiniteWord, count: number): string {
  return count === 1 ? WORDS[word] : `${WORDS[word]} ×${formatInteger(count)}`;
}
