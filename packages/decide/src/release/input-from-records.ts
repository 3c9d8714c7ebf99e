import type { EvalMeasure, EvalPair, EvalRecord, EvalSample, EvalSubject } from "@trainwatch/core";
import { fromJsonNumber, rowKey } from "@trainwatch/core";
import type { ColumnInput, MeasureInput, PairColumn } from "./contract.ts";
import { sampleMeasures } from "./sample-measures.ts";

/** The records of one file of results; of several files the later one is the newer, where they do not tell the time. */
export interface RecordFile {
  readonly records: readonly EvalRecord[];
}

interface Gathered {
  readonly subject: EvalSubject;
  /** By row key, the newest. */
  readonly measures: Map<string, MeasureInput>;
  /** By task and filter: the samples of the last file that has any, by key and epoch. */
  readonly samples: Map<string, { file: number; records: Map<string, EvalSample> }>;
  readonly pairs: Map<string, { file: number; records: Map<string, EvalPair> }>;
}

/**
 * Columns of a comparison from records in memory, one a model and step, in the order of their first appearance; scorecard ids count from 1. Of a
 * result that is there several times the newest counts, and of samples the last file that has them: samples of two evaluations are never mixed.
 */
export function columnsFromRecords(files: readonly RecordFile[]): readonly ColumnInput[] {
  const subjects = new Map<string, Gathered>();
  const of = (subject: EvalSubject): Gathered => {
    const key = `${subject.step ?? ""} ${subject.model}`;
    const gathered = subjects.get(key) ?? { subject, measures: new Map(), samples: new Map(), pairs: new Map() };
    subjects.set(key, gathered);
    return gathered;
  };
  files.forEach(({ records }, file) => {
    for (const record of records) {
      if (record.kind === "measure") takeMeasure(of(record.subject), record);
      else if (record.kind === "sample") takeSample(of(record.subject), record, file);
      else if (record.kind === "pair") {
        takePair(of(record.left), record.right, record, file);
        takePair(of(record.right), record.left, record, file);
      }
    }
  });
  return [...subjects.values()].map(columnOf);
}

function takeMeasure({ measures }: Gathered, record: EvalMeasure): void {
  const key = rowKey(record);
  const known = measures.get(key);
  if (known !== undefined && (known.evaluatedAtMs ?? 0) > (record.evaluatedAtMs ?? 0)) return;
  const { kind: _kind, subject: _subject, value, stderr, ...rest } = record;
  const error = fromJsonNumber(stderr);
  measures.set(key, {
    ...rest,
    value: fromJsonNumber(value),
    stderr: error !== null && Number.isFinite(error) ? error : null,
    samples: null,
  });
}

function takeSample({ samples }: Gathered, record: EvalSample, file: number): void {
  inFile(samples, `${record.task}\n${record.filter ?? ""}`, file).set(`${record.key}\n${record.epoch}`, record);
}

function takePair({ pairs }: Gathered, opponent: EvalSubject, record: EvalPair, file: number): void {
  inFile(pairs, `${record.task}\n${opponent.model}`, file).set(record.key, record);
}

function inFile<Value>(groups: Map<string, { file: number; records: Map<string, Value> }>, name: string, file: number): Map<string, Value> {
  const known = groups.get(name);
  if (known?.file === file) return known.records;
  const made = { file, records: new Map<string, Value>() };
  groups.set(name, made);
  return made.records;
}

function columnOf({ subject, measures, samples, pairs }: Gathered, place: number): ColumnInput {
  const all = new Map(measures);
  for (const { records } of samples.values()) {
    for (const measure of sampleMeasures([...records.values()])) {
      const key = rowKey(measure);
      const known = all.get(key);
      all.set(key, known === undefined ? measure : { ...known, samples: measure.samples });
    }
  }
  return {
    scorecardId: place + 1,
    model: subject.model,
    run: null,
    step: subject.step,
    checkpointId: null,
    checkpointState: null,
    turningPointStep: null,
    warnings: [],
    measures: [...all.values()],
    pairs: [...pairs.values()].map(({ records }) => pairColumn(subject, [...records.values()])),
  };
}

/** Judgements as this side sees them. */
function pairColumn(subject: EvalSubject, records: readonly EvalPair[]): PairColumn {
  const [first] = records;
  const isRight = first?.right.model === subject.model && first.right.step === subject.step;
  const opponent = isRight ? first.left : first?.right;
  const length = ({ leftLength, rightLength }: EvalPair): number =>
    leftLength === null || rightLength === null ? Number.NaN : isRight ? rightLength - leftLength : leftLength - rightLength;
  return {
    task: first?.task ?? "",
    opponent: opponent?.model ?? "",
    judge: first?.judge ?? null,
    keys: records.map(({ key }) => key),
    preferences: Float64Array.from(records, ({ preference }) => (preference === null ? Number.NaN : isRight ? preference : 1 - preference)),
    lengthDifferences: Float64Array.from(records, length),
  };
}
