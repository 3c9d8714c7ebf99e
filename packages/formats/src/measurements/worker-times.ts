import type { Measurement, MeasurementFormat, MeasurementLog } from "./contract.ts";

/** Header cells that name who was measured, when, and how long a batch took. */
const WORKER = /^worker(?:_id)?$/i;
const WHEN = /^(?:time|step)$/i;
const BATCH = /^(?:mini_?)?batch_time(?:_norm)?$/i;
/** A table with any other column, such as a loss, is a trainer's log. */
const BESIDE = /^(?:|gpu|job|index)$/i;

/** A CSV of batch times by worker, as Alibaba publishes of its jobs. Times may be normalised: only ratios are read. */
export const workerTimes: MeasurementFormat = {
  id: "worker-times",
  title: "batch times by worker",
  source: "CSV with the columns worker, time (or step) and batch_time and no metric beside, as in Alibaba's cluster-trace-gpu-v2020.",
  sniff: (head) => columnsOf(head.split("\n", 1)[0] ?? "") !== null,
  read,
};

function read(text: string): MeasurementLog {
  const [head = "", ...lines] = text.split("\n");
  const columns = columnsOf(head);
  if (columns === null) return { tables: [], notes: [], issues: [] };
  const rows = lines.flatMap((line, index): Measurement[] => {
    const cells = line.trim().split(",");
    const [of, at, value] = [columns.worker, columns.when, columns.batch].map((column) => cells[column] ?? "");
    if (of === undefined || of === "" || at === undefined || at === "" || value === undefined || value === "") return [];
    const measured = { of: `worker ${of}`, at: Number(at), value: Number(value), line: index + 2 };
    return Number.isFinite(measured.at) && Number.isFinite(measured.value) && measured.value > 0 ? [measured] : [];
  });
  const table = { title: "batch time of each worker", unit: "", better: "lower", kind: "times", rows } as const;
  return { tables: rows.length === 0 ? [] : [table], notes: [], issues: [] };
}

function columnsOf(head: string): { readonly worker: number; readonly when: number; readonly batch: number } | null {
  const names = head.trim().split(",");
  const worker = names.findIndex((name) => WORKER.test(name));
  const when = names.findIndex((name) => WHEN.test(name));
  const batch = names.findIndex((name) => BATCH.test(name));
  const isOther = names.some((name, index) => ![worker, when, batch].includes(index) && !BESIDE.test(name));
  return worker < 0 || when < 0 || batch < 0 || isOther ? null : { worker, when, batch };
}
