import { sayInteger, sayQuantity, sayValue } from "@trainwatch/core";
import { MAD_TO_SIGMA, median, medianAbsoluteDeviation } from "@trainwatch/stats";
import type { MeasuredFact, MeasuredRow, MeasuredSeries } from "./contract.ts";

/** Worse than its peers by so much and by so many robust deviations, of which there are at least a hundredth of the median, one stands out. */
const ODD_SHARE = 0.05;
const ODD_DEVIATIONS = 5;
const LEAST_DEVIATION = 0.01;
const FEWEST_PEERS = 3;
/** Medians of rounds that differ by so much from the others' are told. */
const ROUND_SHARE = 0.1;
const SHOWN_ROUNDS = 8;

/** Things that ought to be alike, round by round: who stands out, and which round does. */
export function judgePeers(table: MeasuredSeries): readonly MeasuredFact[] {
  const rounds = byRound(table.rows);
  const told = rounds.slice(0, SHOWN_ROUNDS).map(([at, rows]) => roundFact(table, rounds.length === 1 ? null : at, rows));
  const more = rounds.length - SHOWN_ROUNDS;
  return [
    ...told,
    ...(more > 0 ? [{ text: `${sayInteger(more)} further rounds`, isOdd: false }] : []),
    ...rounds.flatMap(([at, rows]) => oddPeers(table, rounds.length === 1 ? null : at, rows)),
    ...oddRounds(table, rounds),
  ];
}

/** Peers that are worse than the others of the same round. */
export function oddPeers(table: MeasuredSeries, round: number | null, rows: readonly MeasuredRow[]): readonly MeasuredFact[] {
  if (rows.length < FEWEST_PEERS) return [];
  const values = rows.map(({ value }) => value);
  const middle = median(values);
  const sigma = Math.max(MAD_TO_SIGMA * medianAbsoluteDeviation(values), LEAST_DEVIATION * middle);
  const sign = table.better === "lower" ? 1 : -1;
  return rows
    .filter(({ value }) => sign * (value - middle) > Math.max(ODD_SHARE * middle, ODD_DEVIATIONS * sigma))
    .map(({ of, value }) => ({
      text: `${capital(of)} stands out${round === null ? "" : ` in round ${sayInteger(round)}`}: ${said(table, value)} where its peers have ${said(table, middle)} (×${sayValue(value / middle)}, ${((sign * (value - middle)) / sigma).toFixed(0)} robust deviations)`,
      isOdd: true,
    }));
}

function roundFact(table: MeasuredSeries, round: number | null, rows: readonly MeasuredRow[]): MeasuredFact {
  const values = rows.map(({ value }) => value);
  const where = round === null ? "" : `Round ${sayInteger(round)}: `;
  const [only, second] = values;
  if (only !== undefined && second === undefined) return { text: `${where}${said(table, only)}, the only one measured`, isOdd: false };
  const text = `${where}median ${said(table, median(values))} of ${sayInteger(rows.length)}, from ${sayValue(least(values))} to ${said(table, largest(values))}`;
  return { text: capital(text), isOdd: false };
}

function oddRounds(table: MeasuredSeries, rounds: readonly (readonly [number, readonly MeasuredRow[]])[]): readonly MeasuredFact[] {
  if (rounds.length < FEWEST_PEERS) return [];
  const medians = rounds.map(([at, rows]) => ({ at, value: median(rows.map(({ value }) => value)) }));
  const middle = median(medians.map(({ value }) => value));
  const sign = table.better === "lower" ? 1 : -1;
  return medians
    .filter(({ value }) => sign * (value - middle) > ROUND_SHARE * middle)
    .map(({ at, value }) => ({
      text: `Round ${sayInteger(at)} is worse for all: ×${sayValue(value / middle)} of the usual ${said(table, middle)}${at === medians[0]?.at ? "; as the first round it may be a warm-up" : ""}`,
      isOdd: at !== medians[0]?.at,
    }));
}

function byRound(rows: readonly MeasuredRow[]): readonly (readonly [number, readonly MeasuredRow[]])[] {
  const rounds = new Map<number, MeasuredRow[]>();
  for (const row of rows) {
    const round = rounds.get(row.at);
    if (round === undefined) rounds.set(row.at, [row]);
    else round.push(row);
  }
  return [...rounds].sort(([a], [b]) => a - b);
}

/** Not `Math.min` over a spread: a log of a hundred thousand rows has more of them than a call takes. */
export function least(values: readonly number[]): number {
  return values.reduce((low, value) => Math.min(low, value), Number.POSITIVE_INFINITY);
}

export function largest(values: readonly number[]): number {
  return values.reduce((high, value) => Math.max(high, value), Number.NEGATIVE_INFINITY);
}

export function said({ unit }: Pick<MeasuredSeries, "unit">, value: number): string {
  return sayQuantity(sayValue(value), unit);
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
