import type { Measurement, MeasuredTable, MeasurementFormat, MeasurementLog, MeasurementNote } from "./contract.ts";

/** The row of names above the numbers: with or without `root`, with `#wrong` or, in older versions, `error`. */
const HEAD = /^#\s+size\s+count\s+type\b.*\btime\s+algbw\s+busbw\s+(?:#wrong|error)\b/;
const USING = /^#\s+Using devices/;
const COMMAND = /\b(all_reduce|all_gather|reduce_scatter|alltoall|all_to_all|broadcast|reduce|sendrecv|gather|scatter)_perf/;
const AVERAGE = /^#\s*Avg bus bandwidth\s*:\s*([\d.]+)/;
const OUT_OF_BOUNDS = /^#\s*Out of bounds values\s*:\s*(\d+)/;
const PLACES = ["out-of-place", "in-place"] as const;
/** Numbers of one place: time, algorithm bandwidth, bus bandwidth, wrong values. */
const PER_PLACE = 4;

/** What `all_reduce_perf` and its like of NVIDIA's nccl-tests print: bus bandwidth by message size. */
export const ncclTests: MeasurementFormat = {
  id: "nccl-tests",
  title: "nccl-tests",
  source: "`all_reduce_perf` and the other benchmarks of NVIDIA's nccl-tests.",
  sniff: (head) => head.split("\n").some((line) => HEAD.test(line)) || (USING.test(head) && COMMAND.test(head)),
  read,
};

function read(text: string): MeasurementLog {
  const rows: Measurement[] = [];
  const notes: MeasurementNote[] = [];
  let op = "collective";
  for (const [index, line] of text.split("\n").entries()) {
    const number = index + 1;
    op = COMMAND.exec(line)?.[1] ?? op;
    const bad = Number(OUT_OF_BOUNDS.exec(line)?.[1] ?? 0);
    if (bad > 0) notes.push({ line: number, text: `${bad} values came out wrong: data was corrupted on its way`, isFault: true });
    const average = AVERAGE.exec(line)?.[1];
    if (average !== undefined)
      notes.push({ line: number, text: `The tool's own average over all sizes is ${average} GB/s`, isFault: false });
    rows.push(...rowOf(line, number));
  }
  const wrong = text.split("\n").flatMap((line, index) => wrongOf(line, index + 1));
  const table: MeasuredTable = { title: `${op}, bus bandwidth`, unit: "GB/s", better: "higher", kind: "sizes", rows };
  return { tables: rows.length === 0 ? [] : [table], notes: [...wrong, ...notes], issues: [] };
}

/** The cells of a row: size, count, type and so on, and four numbers for each place; null where the line is none. */
function cellsOf(line: string): { readonly bytes: number; readonly numbers: readonly string[] } | null {
  const cells = line.trim().split(/\s+/);
  const [size, count, type] = cells;
  if (
    size === undefined ||
    count === undefined ||
    type === undefined ||
    !/^\d+$/.test(size) ||
    !/^\d+$/.test(count) ||
    !/^[a-z]/.test(type)
  )
    return null;
  const numbers = cells.slice(-PER_PLACE * PLACES.length);
  return numbers.length === PER_PLACE * PLACES.length && numbers.every((cell) => /^(?:[\d.]+(?:e[+-]?\d+)?|N\/A)$/.test(cell))
    ? { bytes: Number(size), numbers }
    : null;
}

function rowOf(line: string, number: number): readonly Measurement[] {
  const cells = cellsOf(line);
  if (cells === null || cells.bytes === 0) return [];
  return PLACES.flatMap((of, place) => {
    const value = Number(cells.numbers[place * PER_PLACE + 2]);
    return Number.isFinite(value) ? [{ of, at: cells.bytes, value, line: number }] : [];
  });
}

function wrongOf(line: string, number: number): readonly MeasurementNote[] {
  const cells = cellsOf(line);
  const wrong =
    cells === null ? 0 : PLACES.reduce((sum, _, place) => sum + (Number(cells.numbers[place * PER_PLACE + PER_PLACE - 1]) || 0), 0);
  return wrong >= 1
    ? [
        {
          line: number,
          text: `${wrong} wrong values in messages of ${cells?.bytes ?? 0} bytes: data was corrupted on its way`,
          isFault: true,
        },
      ]
    : [];
}
