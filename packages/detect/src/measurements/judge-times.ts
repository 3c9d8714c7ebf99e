import { sayInteger, sayValue } from "@trainwatch/core";
import { median } from "@trainwatch/stats";
import type { MeasuredFact, MeasuredRow, MeasuredSeries } from "./contract.ts";
import { capital, largest, least, oddPeers, said } from "./judge-peers.ts";

/** A stretch above the second ratio to the median of those before it whose own median is above the first is slow (detection.md C.4), if it is long enough. */
const SLOW_RATIO = 1.1;
const UP_RATIO = 1.05;
const IN_A_ROW = 5;
const SHORT = 60;
const IN_A_ROW_SHORT = 2;
const WINDOW = 50;
const FEWEST_BEFORE = 4;
/** A single time so far above the series' own median is told. */
const SPIKE_RATIO = 1.5;

/** Series of several things over time: who is slower than the others throughout, from when on all are slower than before, and single slow times. */
export function judgeTimes(table: MeasuredSeries): readonly MeasuredFact[] {
  const series = bySubject(table.rows);
  const medians = [...series].map(([of, rows]) => ({ of, at: 0, value: median(rows.map(({ value }) => value)) }));
  const values = medians.map(({ value }) => value);
  const overview: MeasuredFact = {
    text: `${sayInteger(series.size)} series of up to ${sayInteger(largest([...series.values()].map((rows) => rows.length)))} times; their medians are ${sayValue(least(values))} to ${said(table, largest(values))}`,
    isOdd: false,
  };
  return [
    overview,
    ...oddPeers(table, null, medians),
    ...slowStretches(table),
    ...[...series].flatMap(([of, rows]) => spikes(table, of, rows)),
  ];
}

/** Stretches in which the median over all things is above its own past. */
function slowStretches(table: MeasuredSeries): readonly MeasuredFact[] {
  const times = commonTimes(table.rows);
  const needed = times.length < SHORT ? IN_A_ROW_SHORT : IN_A_ROW;
  const facts: MeasuredFact[] = [];
  let before: number[] = [];
  let run: { at: number; value: number }[] = [];
  const close = (end: number | null): void => {
    const base = median(before);
    const isSlow = run.length >= needed && median(run.map(({ value }) => value)) > SLOW_RATIO * base;
    if (isSlow) facts.push(stretchFact(table, run, base, end));
    else before = [...before, ...run.map(({ value }) => value)].slice(-WINDOW);
    run = [];
  };
  for (const { at, value } of times) {
    if (before.length >= FEWEST_BEFORE && value > UP_RATIO * median(before)) run.push({ at, value });
    else {
      close(at);
      before = [...before, value].slice(-WINDOW);
    }
  }
  close(null);
  return facts;
}

function stretchFact(table: MeasuredSeries, run: readonly { at: number; value: number }[], base: number, end: number | null): MeasuredFact {
  const highest = largest(run.map(({ value }) => value));
  const [first] = run;
  return {
    text: `Slow for all from ${sayWhen(first?.at ?? 0)} on${end === null ? ", to the end" : `, until ${sayWhen(end)}`}: up to ${said(table, highest)} where ${said(table, base)} was usual (×${sayValue(highest / base)}), ${sayInteger(run.length)} times in a row`,
    isOdd: true,
  };
}

function spikes(table: MeasuredSeries, of: string, rows: readonly MeasuredRow[]): readonly MeasuredFact[] {
  const middle = median(rows.map(({ value }) => value));
  const high = rows.filter(({ value }) => value > SPIKE_RATIO * middle);
  const [first] = high;
  if (first === undefined || table.better !== "lower") return [];
  const worst = high.reduce((most, row) => (row.value > most.value ? row : most), first);
  return [
    {
      text: `${capital(of)} has ${sayInteger(high.length)} of ${sayInteger(rows.length)} times above ${SPIKE_RATIO} of its median, the worst ×${sayValue(worst.value / middle)} at ${sayWhen(worst.at)}`,
      isOdd: high.length > 0.05 * rows.length,
    },
  ];
}

/** Median over all things at each time at which most of them were measured. */
function commonTimes(rows: readonly MeasuredRow[]): readonly { readonly at: number; readonly value: number }[] {
  const times = new Map<number, number[]>();
  for (const { at, value } of rows) {
    const values = times.get(at);
    if (values === undefined) times.set(at, [value]);
    else values.push(value);
  }
  const subjects = new Set(rows.map(({ of }) => of)).size;
  return [...times]
    .filter(([, values]) => 2 * values.length >= subjects)
    .sort(([a], [b]) => a - b)
    .map(([at, values]) => ({ at, value: median(values) }));
}

function bySubject(rows: readonly MeasuredRow[]): ReadonlyMap<string, readonly MeasuredRow[]> {
  const series = new Map<string, MeasuredRow[]>();
  for (const row of rows) {
    const held = series.get(row.of);
    if (held === undefined) series.set(row.of, [row]);
    else held.push(row);
  }
  return series;
}

/** An epoch time as a time, a small number as itself. */
function sayWhen(at: number): string {
  const FIRST_EPOCH_MS = 1e11;
  return at >= FIRST_EPOCH_MS && at <= 8.64e15
    ? `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} by its own clock`
    : sayInteger(at);
}
