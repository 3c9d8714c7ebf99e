import { sayInteger } from "@trainwatch/core";
import type { MeasuredFact, MeasuredRow, MeasuredSeries } from "./contract.ts";
import { capital, said } from "./judge-peers.ts";

/** Below this share of what a smaller message has reached, bandwidth has fallen off. */
const DIP_SHARE = 0.9;
const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"] as const;

/** Bandwidth by message size: how high it comes, from which size on half of that is reached, and where a larger message is slower than a smaller one. */
export function judgeSizes(table: MeasuredSeries): readonly MeasuredFact[] {
  const curves = new Map<string, MeasuredRow[]>();
  for (const row of table.rows) curves.set(row.of, [...(curves.get(row.of) ?? []), row]);
  return [...curves].flatMap(([of, rows]) =>
    curveFacts(
      table,
      of,
      rows.toSorted((a, b) => a.at - b.at),
    ),
  );
}

function curveFacts(table: MeasuredSeries, of: string, rows: readonly MeasuredRow[]): readonly MeasuredFact[] {
  const [first] = rows;
  if (first === undefined) return [];
  const best = rows.reduce((highest, row) => (row.value > highest.value ? row : highest), first);
  if (rows.length === 1)
    return [{ text: `${capital(of)}: ${said(table, best.value)} at ${saySize(best.at)}, the only size measured`, isOdd: false }];
  const half = rows.find(({ value }) => value >= best.value / 2);
  const text = `${capital(of)}: up to ${said(table, best.value)} at ${saySize(best.at)}; half of that from ${saySize(half?.at ?? best.at)} on`;
  return [{ text, isOdd: false }, ...dips(table, of, rows, best.value)];
}

function dips(table: MeasuredSeries, of: string, rows: readonly MeasuredRow[], best: number): readonly MeasuredFact[] {
  let highest: MeasuredRow | null = null;
  const facts: MeasuredFact[] = [];
  for (const row of rows) {
    // Where little is reached yet, latency decides and not bandwidth.
    if (highest !== null && highest.value >= best / 10 && row.value < DIP_SHARE * highest.value)
      facts.push({
        text: `${capital(of)} falls to ${said(table, row.value)} at ${saySize(row.at)}, below the ${said(table, highest.value)} of ${saySize(highest.at)}`,
        isOdd: true,
      });
    if (highest === null || row.value > highest.value) highest = row;
  }
  return facts;
}

/** `64 MiB`; what is no whole number of its unit keeps one digit. */
export function saySize(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1_024 && unit < UNITS.length - 1) {
    value /= 1_024;
    unit++;
  }
  return `${Number.isInteger(value) ? sayInteger(value) : value.toFixed(1)} ${UNITS[unit] ?? "B"}`;
}
