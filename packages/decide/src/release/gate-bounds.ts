import type { Gate } from "@trainwatch/core";
import type { JudgedRow } from "./judged-row.ts";

/** One-sided bounds of one cell at one confidence, in the row's unit; null where no error is known. */
export interface GateBound {
  readonly low: number | null;
  readonly high: number | null;
  readonly deltaLow: number | null;
  readonly deltaHigh: number | null;
}

/** Bounds that gates ask for. The comparison's intervals are of its own level: those of few samples or clusters cannot be stretched from 95 % to 99 %. */
export interface GateBounds {
  of(rowKey: string, column: number, confidence: number): GateBound | null;
}

/**
 * The rows that gates ask about, read and tested once more at each gate's confidence: one-sided at c is one end of the two-sided interval at 2 c − 1.
 * @param judgeAt the row at a level of confidence; null: there is no such row
 */
export function gateBounds(gates: readonly Gate[], judgeAt: (rowKey: string, level: number) => JudgedRow | null): GateBounds {
  const known = new Map<string, readonly GateBound[]>();
  for (const gate of gates) {
    if ((gate.kind !== "no-loss" && gate.kind !== "limit") || gate.confidence === null) continue;
    const name = nameOf(gate.row, gate.confidence);
    if (known.has(name)) continue;
    const row = judgeAt(gate.row, 2 * gate.confidence - 1);
    if (row !== null) known.set(name, boundsOf(row));
  }
  return { of: (rowKey, column, confidence) => known.get(nameOf(rowKey, confidence))?.[column] ?? null };
}

const nameOf = (rowKey: string, confidence: number): string => `${confidence} ${rowKey}`;

function boundsOf({ readings, judgements }: JudgedRow): readonly GateBound[] {
  return readings.map((reading, column) => {
    const tested = judgements[column]?.tested ?? null;
    return {
      low: reading?.low ?? null,
      high: reading?.high ?? null,
      deltaLow: tested?.low ?? null,
      deltaHigh: tested?.high ?? null,
    };
  });
}
