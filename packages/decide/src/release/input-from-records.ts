import type { EvalMeasure, EvalPair, EvalRecord, EvalSample, EvalSubject } from "@trainwatch/core";
import { fromJsonNumber, rowKey } from "@trainwatch/core";
import type { ColumnInput, MeasureInput } from "./contract.ts";
import { pairColumn, sideName } from "./pair-column.ts";
import type { SideJudgement } from "./pair-column.ts";
import { sampleMeasures } from "./sample-measures.ts";

/** The records of one file of results; of several files the later one is the newer, where they do not tell the time. */
export interface RecordFile {
  readonly records: readonly EvalRecord[];
}

interface Gathered {
  /** Counts from 1, in the order of the first appearance. */
  readonly scorecardId: number;
  readonly subject: EvalSubject;
  /** By row key, the newest. */
  readonly measures: Map<string, MeasureInput>;
  /** By task and filter: the samples of the last file that has any, by key and epoch. */
  readonly samples: Map<string, { file: number; records: Map<string, EvalSample> }>;
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
 * result that is there several times the newest counts, and of samples the last file that has them: samples of two evaluations are never mixed.
 */
export function columnsFromRecords(files: readonly RecordFile[]): readonly ColumnInput[] {
  const subjects = new Map<string, Gathered>();
  const of = (subject: EvalSubject): Gathered => {
    const key = `${subject.step ?? ""} ${subject.model}`;
    const gathered = subjects.get(key) ?? {
      scorecardId: subjects.size + 1,
      subject,
      measures: new Map(),
      samples: new Map(),
      pairs: new Map(),
    };
    subjects.set(key, gathered);
    return gathered;
  };
  files.forEach(({ records }, file) => {
    for (const record of records) {
      if (record.kind === "measure") takeMeasure(of(record.subject), record);
      else if (record.kind === "sample") takeSample(of(record.subject), record, file);
      else if (record.kind === "pair") takePair(of(record.left), of(record.right), record, file);
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

function inFile<Value>(groups: Map<string, { file: number; records: Map<string, Value> }>, name: string, file: number): Map<string, Value> {
  const known = groups.get(name);
  if (known?.file === file) return known.records;
  const made = { file, records: new Map<string, Value>() };
  groups.set(name, made);
  return made.records;
}

function columnOf({ scorecardId, subject, measures, samples, pairs }: Gathered): ColumnInput {
  const all = new Map(measures);
  for (const { records } of samples.values()) {
    for (const measure of sampleMeasures([...records.values()])) {
      const key = rowKey(measure);
      const known = all.get(key);
      all.set(key, known === undefined ? measure : { ...known, samples: measure.samples });
    }
  }
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
