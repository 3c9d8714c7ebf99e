import { sayInteger } from "@trainwatch/core";
import { median } from "@trainwatch/stats";
import type { MeasuredFact, MeasuredSeries } from "./contract.ts";
import { capital, judgePeers, least, said } from "./judge-peers.ts";
import { judgeSizes } from "./judge-sizes.ts";
import { judgeTimes } from "./judge-times.ts";

/** A thing that has become so much worse from one round to a later one is told. */
const WORSE_SHARE = 0.1;

/** What a table of measurements says, with the figures for it. The same rules hold for every benchmark: peers with peers, a thing with its own past. */
export function judgeMeasurements(table: MeasuredSeries): readonly MeasuredFact[] {
  switch (table.kind) {
    case "peers":
      return judgePeers(table);
    case "places":
      return judgePlaces(table);
    case "sizes":
      return judgeSizes(table);
    case "times":
      return judgeTimes(table);
  }
}

/** Things that differ by nature: each against its own first round. */
function judgePlaces(table: MeasuredSeries): readonly MeasuredFact[] {
  const things = [...new Set(table.rows.map(({ of }) => of))];
  const firstRound = least(table.rows.map(({ at }) => at));
  const sign = table.better === "lower" ? 1 : -1;
  return things.flatMap((of): MeasuredFact[] => {
    const rows = table.rows.filter((row) => row.of === of);
    const before = rows.filter(({ at }) => at === firstRound).map(({ value }) => value);
    const after = rows.filter(({ at }) => at !== firstRound).map(({ value }) => value);
    if (before.length === 0 || after.length === 0) return [];
    const [base, now] = [median(before), median(after)];
    const isWorse = sign * (now - base) > WORSE_SHARE * base;
    const percent = Math.round((100 * (now - base)) / base);
    return [
      {
        text: `${capital(of)}: ${said(table, base)} in round ${sayInteger(firstRound)}, ${said(table, now)} later (${percent === 0 ? "" : percent > 0 ? "+" : "−"}${Math.abs(percent)} %)`,
        isOdd: isWorse,
      },
    ];
  });
}
