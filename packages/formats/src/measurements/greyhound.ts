import type { Measurement, MeasuredTable, MeasurementFormat, MeasurementLog, MeasurementNote } from "./contract.ts";

/** `Esimated` is how the program spells it. */
const ITERATION = /\[(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)\.(\d+)\] Es(?:ti)?i?mated iteration time: \{(.*)\}/;
const RANK_TIME = /'rank(\d+)': ([\d.]+)/g;
const COMPUTE = /^\S*Computation result of rank (\d+) collected = \(Perf: .*?\bavg=([\d.]+)/;
const PROBE = /^\S*Result of rank (\d+) collected = \(Perf: .*?\bavg=([\d.]+)/;
const TASK = /task \(\[([\d, ]+)\], \[([\d, ]+)\]\) dispatched/;
const DISPATCHED = /Computation tasks are dispatched/;
const HAPPENS = /Failslow happens at rank=(\d+)/;
const REASON = /Reason of fail-slow is (\w+)/;
const REPORTED = /Fail-slow is reported to global controller/;
const US_A_SECOND = 1e6;

/** What the controllers of the Greyhound fail-slow detector log: iteration times of ranks as it sees them, and probes of each rank's computing and each pair's link. */
export const greyhound: MeasurementFormat = {
  id: "fail-slow",
  title: "fail-slow log",
  source: "The local and global controllers of the Greyhound (Falcon) fail-slow detector.",
  sniff: (head) =>
    /Es(?:ti)?i?mated iteration time: \{'rank\d+'/.test(head) || /Computation result of rank \d+ collected = \(Perf:/.test(head),
  read,
};

function read(text: string): MeasurementLog {
  const iterations: Measurement[] = [];
  const compute: Measurement[] = [];
  const probes: Measurement[] = [];
  const notes: MeasurementNote[] = [];
  let round = 0;
  let pairs: ReadonlyMap<number, string> = new Map();
  for (const [index, line] of text.split("\n").entries()) {
    const number = index + 1;
    iterations.push(...iterationOf(line, number));
    if (DISPATCHED.test(line)) round++;
    const computed = COMPUTE.exec(line);
    if (computed !== null) compute.push({ of: `rank ${computed[1]}`, at: round, value: Number(computed[2]), line: number });
    const task = TASK.exec(line);
    if (task !== null) pairs = pairsOf(numbersOf(task[1] ?? ""), numbersOf(task[2] ?? ""));
    const probed = PROBE.exec(line);
    const pair = probed === null ? undefined : pairs.get(Number(probed[1]));
    if (probed !== null && pair !== undefined) probes.push({ of: pair, at: round, value: Number(probed[2]), line: number });
    notes.push(...noteOf(line, number));
  }
  const tables: readonly MeasuredTable[] = [
    { title: "iteration time", unit: "s", better: "lower", kind: "times", rows: iterations },
    { title: "computing, probe of each rank", unit: "ms", better: "lower", kind: "peers", rows: compute },
    { title: "transfer, probe of each pair", unit: "ms", better: "lower", kind: "places", rows: probes },
  ];
  return { tables: tables.filter(({ rows }) => rows.length > 0), notes, issues: [] };
}

function iterationOf(line: string, number: number): readonly Measurement[] {
  const match = ITERATION.exec(line);
  if (match === null) return [];
  const [, year, month, day, hour, minute, second, fraction, ranks] = match;
  const at =
    Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second)) +
    Math.floor(Number(`0.${fraction ?? 0}`) * 1_000);
  return [...(ranks ?? "").matchAll(RANK_TIME)].map(([, rank, us]) => ({
    of: `rank ${rank}`,
    at,
    value: Number(us) / US_A_SECOND,
    line: number,
  }));
}

/** The n-th sender sends to the n-th receiver; both report the pair's time. */
function pairsOf(senders: readonly number[], receivers: readonly number[]): ReadonlyMap<number, string> {
  return new Map(
    senders.flatMap((sender, index): [number, string][] => {
      const receiver = receivers[index];
      if (receiver === undefined) return [];
      const name = `ranks ${Math.min(sender, receiver)} and ${Math.max(sender, receiver)}`;
      return [
        [sender, name],
        [receiver, name],
      ];
    }),
  );
}

function numbersOf(text: string): readonly number[] {
  return (text.match(/\d+/g) ?? []).map(Number);
}

function noteOf(line: string, number: number): readonly MeasurementNote[] {
  const rank = HAPPENS.exec(line)?.[1];
  if (rank !== undefined) return [{ line: number, text: `Its own detector reports a fail-slow as seen from rank ${rank}`, isFault: true }];
  const reason = REASON.exec(line)?.[1];
  if (reason !== undefined)
    return [
      {
        line: number,
        text: `Its own verdict: the reason is ${reason === "comp" ? "computing" : reason === "comm" ? "communication" : reason}`,
        isFault: true,
      },
    ];
  return REPORTED.test(line) ? [{ line: number, text: "A fail-slow was reported to the global controller", isFault: true }] : [];
}
