import type { EvalMeasure, EvalPair, EvalRecord, EvalSubject } from "@trainwatch/core";
import { fromJsonNumber, rowKey, sayInteger } from "@trainwatch/core";
import { canonicalJson } from "./canonical-json.ts";
import type { ColumnInput, MeasureInput } from "./contract.ts";
import { pairColumn, sideName } from "./pair-column.ts";
import type { SideJudgement } from "./pair-column.ts";
import { SampleSets } from "./sample-sets.ts";

/** The records of one file of results; of several files the later one is the newer, where they do not tell the time. */
export interface RecordFile {
  readonly records: readonly EvalRecord[];
}

export interface RecordColumns {
  readonly columns: readonly ColumnInput[];
  /** What was told twice and counts once, in sentences. */
  readonly notes: readonly string[];
}

interface Held {
  readonly file: number;
  readonly measure: MeasureInput;
}

interface Gathered {
  /** Counts from 1, in the order of the first appearance. */
  readonly scorecardId: number;
  readonly subject: EvalSubject;
  /** By row key, the newest. */
  readonly measures: Map<string, Held>;
  /** Values by file, row and how they were measured: what one file says twice. */
  readonly told: Map<string, string>;
  readonly samples: SampleSets;
  /** By task, opponent and judge: the judgements of the last file that has any. */
  readonly pairs: Map<string, PairsOf>;
}

interface PairsOf {
  readonly file: number;
  readonly task: string;
  readonly judge: string | null;
  readonly opponent: Gathered;
  readonly judgements: SideJudgement[];
}

/**
 * Columns of a comparison from records in memory, one a model and step, in the order of their first appearance; scorecard ids count from 1. Of a
 * result that is there several times the newest counts, with the samples of its own evaluation: those of two evaluations are never mixed. Of what one file
 * says twice, measured alike, the first counts.
 */
export function columnsFromRecords(files: readonly RecordFile[]): RecordColumns {
  const subjects = new Map<string, Gathered>();
  const of = (subject: EvalSubject): Gathered => {
    const key = `${subject.step ?? ""} ${subject.model}`;
    const gathered = subjects.get(key) ?? {
      scorecardId: subjects.size + 1,
      subject,
      measures: new Map(),
      told: new Map(),
      samples: new SampleSets(),
      pairs: new Map(),
    };
    subjects.set(key, gathered);
    return gathered;
  };
  const contradicted: string[] = [];
  let repeated = 0;
  files.forEach(({ records }, file) => {
    for (const record of records) {
      if (record.kind === "measure" && !takeMeasure(of(record.subject), record, file)) contradicted.push(nameOf(record));
      else if (record.kind === "sample" && !of(record.subject).samples.take(record, file)) repeated++;
      else if (record.kind === "pair") takePair(of(record.left), of(record.right), record, file);
    }
  });
  return { columns: [...subjects.values()].map(columnOf), notes: notesOf(contradicted, repeated) };
}

const nameOf = ({ metric, task, subject }: EvalMeasure): string => `${metric} of ${task} of ${sideName(subject)}`;

function notesOf(contradicted: readonly string[], repeated: number): readonly string[] {
  const [first] = contradicted;
  const results = contradicted.length === 1 ? "1 result comes" : `${sayInteger(contradicted.length)} results come`;
  const example = contradicted.length === 1 ? first : `${first ?? ""} …`;
  return [
    ...(first === undefined
      ? []
      : [`${results} twice in one file, measured alike and with another value (${example ?? ""}): the first counts`]),
    ...(repeated === 0
      ? []
      : [`${repeated === 1 ? "1 sample comes" : `${sayInteger(repeated)} samples come`} twice in one file: the first counts`]),
  ];
}

/** @returns false: its file has said another value of it before, measured alike */
function takeMeasure({ measures, told }: Gathered, record: EvalMeasure, file: number): boolean {
  const key = rowKey(record);
  const { kind: _kind, subject: _subject, value, stderr, ...rest } = record;
  const alike = canonicalJson([file, key, record.settings, record.evaluatedAtMs]);
  const content = canonicalJson(record);
  const before = told.get(alike);
  if (before !== undefined) return before === content;
  told.set(alike, content);
  const known = measures.get(key);
  if (known !== undefined && (known.measure.evaluatedAtMs ?? 0) > (record.evaluatedAtMs ?? 0)) return true;
  const error = fromJsonNumber(stderr);
  const measure: MeasureInput = {
    ...rest,
    value: fromJsonNumber(value),
    stderr: error !== null && Number.isFinite(error) ? error : null,
    samples: null,
  };
  measures.set(key, { file, measure });
  return true;
}

/** A judgement of a model against itself says nothing of it. */
function takePair(left: Gathered, right: Gathered, record: EvalPair, file: number): void {
  if (left === right) return;
  const { key, preference: share, leftLength, rightLength } = record;
  const preference = share ?? Number.NaN;
  const lengthDifference = leftLength === null || rightLength === null ? Number.NaN : rightLength - leftLength;
  judgementsIn(right, left, record, file).push({ key, preference, lengthDifference });
  judgementsIn(left, right, record, file).push({ key, preference: 1 - preference, lengthDifference: -lengthDifference });
}

function judgementsIn({ pairs }: Gathered, opponent: Gathered, { task, judge }: EvalPair, file: number): SideJudgement[] {
  const name = JSON.stringify([task, opponent.scorecardId, judge]);
  const known = pairs.get(name);
  if (known?.file === file) return known.judgements;
  const made = { file, task, judge, opponent, judgements: [] };
  pairs.set(name, made);
  return made.judgements;
}

function columnOf({ scorecardId, subject, measures, samples, pairs }: Gathered): ColumnInput {
  const all = new Map([...measures].map(([key, { measure, file }]) => [key, { ...measure, samples: samples.of(measure, file) }]));
  for (const measure of samples.newest()) if (!all.has(rowKey(measure))) all.set(rowKey(measure), measure);
  return {
    scorecardId,
    model: subject.model,
    run: null,
    step: subject.step,
    checkpointId: null,
    checkpointState: null,
    turningPointStep: null,
    warnings: [],
    measures: [...all.values()],
    pairs: [...pairs.values()].map(({ task, judge, opponent, judgements }) =>
      pairColumn({ task, judge, opponent: sideName(opponent.subject), opponentId: opponent.scorecardId }, judgements),
    ),
  };
}
