import type { Measurement, MeasurementFormat, MeasurementLog } from "./contract.ts";

const RANK = /^(\d+):$/;
const DURATION = /^\s*duration: ([\d.]+) sec$/;
const BUS = /^\s*busbw: ([\d.]+)\s+Gbps$/;
const ALGORITHM = /^\s*algo throughput: [\d.]+ bps, [\d.]+ Gbps$/;

/** What the all-reduce benchmark of BigScience and its descendants prints: for each rank and trial its duration and bus bandwidth. */
export const allReduceBench: MeasurementFormat = {
  id: "all-reduce-bench",
  title: "all-reduce benchmark",
  source: "`all_reduce_bench.py` of BigScience and of the ML Engineering book: a block of lines for each rank and trial.",
  sniff: (head) => {
    const lines = head.split("\n");
    return lines.some((line) => ALGORITHM.test(line)) && lines.some((line) => DURATION.test(line));
  },
  read,
};

/** Ranks print at the same time, so blocks are torn: a duration belongs to the rank that has announced itself first and has none yet. */
function read(text: string): MeasurementLog {
  const announced: number[] = [];
  const trials = new Map<number, number>();
  const durations: Measurement[] = [];
  const bandwidths: Measurement[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    const rank = RANK.exec(line)?.[1];
    if (rank !== undefined) announced.push(Number(rank));
    const seconds = DURATION.exec(line)?.[1];
    const of = seconds === undefined ? undefined : announced.shift();
    if (seconds !== undefined && of !== undefined) {
      const trial = (trials.get(of) ?? 0) + 1;
      trials.set(of, trial);
      durations.push({ of: `rank ${of}`, at: trial, value: Number(seconds), line: index + 1 });
    }
    const bus = BUS.exec(line)?.[1];
    // Whose it is does not show where blocks are torn: kept by the order in which they came.
    if (bus !== undefined) bandwidths.push({ of: "all ranks", at: bandwidths.length + 1, value: Number(bus), line: index + 1 });
  }
  const tables = [
    { title: "all_reduce, duration by trial", unit: "s", better: "lower", kind: "peers", rows: durations } as const,
    {
      title: "all_reduce, bus bandwidth as printed",
      unit: "Gbit/s",
      better: "higher",
      kind: "peers",
      rows: inTrials(bandwidths, trials.size),
    } as const,
  ];
  return { tables: tables.filter(({ rows }) => rows.length > 0), notes: [], issues: [] };
}

/** As many at a time as there are ranks make one trial. */
function inTrials(rows: readonly Measurement[], ranks: number): readonly Measurement[] {
  return rows.map((row, index) => ({
    ...row,
    of: `value ${(index % Math.max(1, ranks)) + 1}`,
    at: Math.floor(index / Math.max(1, ranks)) + 1,
  }));
}
