import { headTable } from "../../table/csv-table.ts";
import type { EvalFormat, EvalOptions, EvalSink, EvalSubjectInput } from "../format.ts";
import { type PlacedSink, placedSink } from "../placed-sink.ts";
import { namelessModel, subjectOf } from "../subject.ts";
import { columnAt, type CsvDocument, csvDocumentParser, headColumns } from "../table/csv-document.ts";
import { type LabelColumn, type PromptKind, promptKind, refusalLabel } from "./refusal-label.ts";
import { refusalSamples, type RefusalRow } from "./refusal-samples.ts";

const LABEL_COLUMN = /(?:^|_)label$/;

/**
 * Answers to harmless and to unsafe prompts with a judgement of each: full compliance, full refusal, partial refusal. What refuses the
 * harmless and what answers the unsafe are two tasks, because they pull against each other.
 */
export const refusalTable = {
  id: "refusal-csv",
  title: "Refusal labels (XSTest, OR-Bench)",
  source: "Tables of prompts, completions and refusal labels, as XSTest and OR-Bench publish them.",
  sniff(head) {
    const columns = headColumns(head);
    if (columnAt(columns, "prompt", "question") < 0 || columnAt(columns, "completion", "response", "answer") < 0) return 0;
    const labels = columns.flatMap((name, at) => (LABEL_COLUMN.test(name.toLowerCase()) ? [at] : []));
    if (labels.length === 0) return 0;
    const rows = headTable(head)?.rows ?? [];
    return rows.some((cells) => labels.some((at) => refusalLabel(cells[at] ?? "") !== null)) || columns.includes("final_label") ? 0.9 : 0;
  },
  parser: (sink, options) => csvDocumentParser(sink, (table) => readTable(table, placedSink(sink), options)),
} satisfies EvalFormat;

/** The label that counts; an automated judge's stands beside it under its own filter. */
const MAIN_LABELS = ["final_label", "label"] as const;

function readTable(table: CsvDocument, sink: PlacedSink, options: EvalOptions): void {
  const modelAt = columnAt(table.columns, "model", "model_name");
  const nameless = modelAt >= 0 ? null : namelessModel(options, sink);
  if (modelAt < 0 && nameless === null) return;
  const at = places(table.columns);
  const byModel = new Map<string, RefusalRow[]>();
  for (const row of table.rows) {
    const cell = (place: number): string => (place < 0 ? "" : (row.cells[place] ?? ""));
    const type = cell(at.type);
    const kind = promptKind(type, at.safety < 0 ? null : cell(at.safety));
    if (kind === null) {
      sink.issue({
        line: row.line,
        code: "unknown-kind",
        message: `The row does not say whether its prompt is safe ("${type.slice(0, 60)}"); it was left out.`,
      });
      continue;
    }
    const model = modelAt >= 0 ? cell(modelAt).trim() : (nameless ?? "");
    if (model === "") {
      sink.issue({ line: row.line, code: "no-model", message: "The row names no model; it was left out." });
      continue;
    }
    const rows = byModel.get(model) ?? [];
    if (rows.length === 0) byModel.set(model, rows);
    rows.push({ line: row.line, kind, type, id: cell(at.id), prompt: cell(at.prompt), answer: cell(at.answer), label: cell });
  }
  disagreements(table, sink);
  const suite = [...byModel.values()].flat().some(({ type }) => type.startsWith("contrast_")) ? "xstest" : "refusal";
  for (const [model, rows] of byModel) readModel({ subject: subjectOf(model), rows, labels: at.labels, suite }, sink);
}

interface ModelRows {
  readonly subject: EvalSubjectInput;
  readonly rows: readonly RefusalRow[];
  readonly labels: readonly LabelColumn[];
  readonly suite: string;
}

function readModel({ subject, rows, labels, suite }: ModelRows, sink: PlacedSink): void {
  const kinds: readonly PromptKind[] = ["safe", "unsafe"];
  for (const label of labels)
    for (const kind of kinds) {
      const some = rows.filter((row) => row.kind === kind);
      if (some.length > 0) refusalSamples({ subject, rows: some, label, kind, task: `${suite}_${kind}` }, sink);
    }
}

function places(columns: readonly string[]): {
  readonly id: number;
  readonly type: number;
  readonly safety: number;
  readonly prompt: number;
  readonly answer: number;
  readonly labels: readonly LabelColumn[];
} {
  const main = columnAt(columns, ...MAIN_LABELS);
  const named = columns.flatMap((name, at) => (LABEL_COLUMN.test(name.toLowerCase()) ? [{ name, at }] : []));
  const first = main >= 0 ? main : (named[0]?.at ?? -1);
  const labels = named
    .map(({ name, at }): LabelColumn => ({ name, at, filter: at === first ? null : name.toLowerCase() }))
    .toSorted((a, b) => Number(a.filter !== null) - Number(b.filter !== null));
  return {
    id: columnAt(columns, "id", "prompt_id", "id_v2"),
    type: columnAt(columns, "type", "prompt_type", "category"),
    safety: columnAt(columns, "safety", "prompt_label", "is_safe", "subset", "dataset"),
    prompt: columnAt(columns, "prompt", "question"),
    answer: columnAt(columns, "completion", "response", "answer"),
    labels,
  };
}

/** Where people did not agree the label is the result of a talk, and less sure. */
function disagreements(table: CsvDocument, sink: EvalSink): void {
  const at = columnAt(table.columns, "agreement");
  if (at < 0) return;
  const rows = table.rows.filter(({ cells }) => (cells[at] ?? "").trim().toLowerCase() === "false");
  const [first] = rows;
  if (first === undefined) return;
  sink.issue({
    line: first.line,
    code: "annotators-disagree",
    message: `The annotators disagree on ${rows.length} of ${table.rows.length} answers; their final label was taken.`,
  });
}
