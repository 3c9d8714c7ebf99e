import type { Measurement, MeasuredTable, MeasurementFormat, MeasurementLog, MeasurementNote } from "./contract.ts";

const VERSION = /^nvbandwidth Version:/m;
const TITLE = /^(memcpy|memory latency)\b.*\((GB\/s|ns)\)$/;
const RUNNING = /^Running (\S+?)\.?$/;
const COLUMNS = /^\s+\d+(?:\s+\d+)*$/;
const ROW = /^\s*(\d+)\s+((?:[\d.]+|N\/A)(?:\s+(?:[\d.]+|N\/A))*)$/;
const FAILED = /^(?:ERROR|FAILED)\b|verification failed/i;

/** What NVIDIA's nvbandwidth prints: a matrix of bandwidths or latencies for each test. */
export const nvbandwidth: MeasurementFormat = {
  id: "nvbandwidth",
  title: "nvbandwidth",
  source: "NVIDIA's `nvbandwidth`: copies between host and GPUs, and between GPUs.",
  sniff: (head) => VERSION.test(head),
  read,
};

function read(text: string): MeasurementLog {
  const tables: MeasuredTable[] = [];
  const notes: MeasurementNote[] = [];
  let test = "";
  let unit: string | null = null;
  let rows: Measurement[] = [];
  const close = (): void => {
    if (unit !== null && rows.length > 0)
      tables.push({ title: test, unit, better: unit === "ns" ? "lower" : "higher", kind: "peers", rows });
    rows = [];
    unit = null;
  };
  let waived = 0;
  for (const [index, line] of text.split("\n").entries()) {
    const running = RUNNING.exec(line)?.[1];
    if (running !== undefined) {
      close();
      test = running;
    }
    const title = TITLE.exec(line);
    if (title !== null) {
      close();
      unit = title[2] ?? null;
    } else if (unit !== null && !COLUMNS.test(line)) rows.push(...rowOf(line, index + 1));
    if (line.startsWith("SUM ")) close();
    if (line.startsWith("Waived")) waived++;
    if (FAILED.test(line)) notes.push({ line: index + 1, text: line.trim(), isFault: true });
  }
  close();
  if (waived > 0) notes.push({ line: 1, text: `${waived} tests were waived: this machine has not what they need`, isFault: false });
  return { tables, notes, issues: [] };
}

function rowOf(line: string, number: number): readonly Measurement[] {
  const match = ROW.exec(line);
  const [, row, cells] = match ?? [];
  if (row === undefined || cells === undefined) return [];
  return cells.split(/\s+/).flatMap((cell, column) => {
    const value = Number(cell);
    return Number.isFinite(value) ? [{ of: `row ${row}, column ${column}`, at: 1, value, line: number }] : [];
  });
}
