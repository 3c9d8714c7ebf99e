import type { HealthOptions, HealthSink } from "../contract.ts";
import { lineClock, isoTime } from "../kernel/line-time.ts";
import { giveReadings, rawGpu } from "./gpu-readings.ts";
import { CSV_KEYS } from "./keys.ts";
import { keep } from "./query-text.ts";

/** `memory.used [MiB]`, `uuid`: a column of `--query-gpu`, with its unit where values have one. */
const COLUMN = /^([a-z][a-zA-Z0-9_.]{1,80})(?: \[([^\]]{1,12})\])?$/;
/** More columns than nvidia-smi has. */
const MAX_COLUMNS = 1_024;

/** Columns of `nvidia-smi --query-gpu=… --format=csv`, or null where the line is no such header. */
export function csvColumns(line: string): readonly (string | undefined)[] | null {
  const cells = line.trim().split(", ");
  if (cells.length > MAX_COLUMNS) return null;
  const columns = cells.map((cell) => COLUMN.exec(cell));
  if (columns.some((column) => column === null)) return null;
  const keys = columns.map((column) => CSV_KEYS.get((column?.[1] ?? "").toLowerCase()));
  const readings = keys.filter((key) => key !== undefined && (key.startsWith("metric:") || key.startsWith("ecc:")));
  return readings.length >= 1 && keys.length >= 2 ? keys : null;
}

export interface CsvText {
  /** @returns false where the line has another number of cells: the table has ended */
  line(text: string, number: number): boolean;
}

/** Rows below a header of {@link csvColumns}. Without an `index` column a GPU is known by its place. @param host the scraped host, where the file names one */
export function csvText(
  columns: readonly (string | undefined)[],
  host: string | null,
  sink: HealthSink,
  options: HealthOptions,
  onAssumed: () => void,
): CsvText {
  const clock = lineClock(options, onAssumed);
  let rows = 0;
  return {
    line(text, number) {
      const cells = text.trim().split(", ");
      if (cells.length !== columns.length || text.trim() === "") return false;
      const gpu = rawGpu();
      let timeMs: number | null = null;
      columns.forEach((key, index) => {
        const cell = cells[index] ?? "";
        if (key === "time") timeMs = clock(isoTime(cell.replaceAll("/", "-")));
        else keep(gpu, key, cell, number);
      });
      giveReadings(gpu, { timeMs, labels: { gpu: String(rows++), ...(host === null ? {} : { Hostname: host }) } }, sink);
      return true;
    },
  };
}
