import type { EvalSample } from "@trainwatch/core";
import { rowKey } from "@trainwatch/core";
import { measuredAlike } from "./comparability.ts";
import type { MeasureInput, SampleColumn } from "./contract.ts";
import { sampleMeasures } from "./sample-measures.ts";

/** Samples of one task and filter from one evaluation. */
interface SampleSet {
  readonly file: number;
  /** When it was evaluated, where the samples tell it. */
  readonly evaluatedAtMs: number | null;
  /** By key and epoch. */
  readonly records: Map<string, EvalSample>;
  /** By row key, made once. */
  measures: ReadonlyMap<string, MeasureInput> | null;
}

/** The samples of one model, an evaluation a set. */
export class SampleSets {
  /** By task and filter, in the order read. */
  readonly #sets = new Map<string, SampleSet[]>();

  /** @returns false: its evaluation has told this sample before, and the first one counts */
  take(record: EvalSample, file: number): boolean {
    const name = setName(record);
    const sets = this.#sets.get(name) ?? [];
    this.#sets.set(name, sets);
    const { evaluatedAtMs } = record;
    let set = sets.find((each) => each.file === file && each.evaluatedAtMs === evaluatedAtMs);
    if (set === undefined) {
      set = { file, evaluatedAtMs, records: new Map(), measures: null };
      sets.push(set);
    }
    const key = `${record.key}\n${record.epoch}`;
    if (set.records.has(key)) return false;
    set.records.set(key, record);
    return true;
  }

  /**
   * Samples of a result: those of its own evaluation, by its time, else by its file, else the newest. None of an evaluation at another time, or under
   * settings that forbid to compare the two. Whether the value is their mean is for the comparison to check.
   */
  of(measure: MeasureInput, file: number): SampleColumn | null {
    const key = rowKey(measure);
    const sets = this.#newestFirst(setName(measure)).flatMap((set) => {
      const own = measuresOf(set).get(key);
      const isOther = set.evaluatedAtMs !== null && measure.evaluatedAtMs !== null && set.evaluatedAtMs !== measure.evaluatedAtMs;
      return own === undefined || isOther || !measuredAlike(measure.settings, own.settings) ? [] : [{ set, samples: own.samples }];
    });
    const isOfFile = ({ set }: (typeof sets)[number]): boolean => set.file === file;
    const isOfTime = ({ set }: (typeof sets)[number]): boolean =>
      measure.evaluatedAtMs !== null && set.evaluatedAtMs === measure.evaluatedAtMs;
    return (
      (sets.find((each) => isOfTime(each) && isOfFile(each)) ?? sets.find(isOfTime) ?? sets.find(isOfFile) ?? sets[0])?.samples ?? null
    );
  }

  /** What the newest samples of each task and filter say by themselves. */
  newest(): readonly MeasureInput[] {
    return [...this.#sets.keys()].flatMap((name) => {
      const [set] = this.#newestFirst(name);
      return set === undefined ? [] : [...measuresOf(set).values()];
    });
  }

  #newestFirst(name: string): readonly SampleSet[] {
    const sets = this.#sets.get(name) ?? [];
    return sets.toReversed().sort((a, b) => (b.evaluatedAtMs ?? 0) - (a.evaluatedAtMs ?? 0));
  }
}

const setName = ({ task, filter }: Pick<EvalSample, "task" | "filter">): string => JSON.stringify([task, filter]);

function measuresOf(set: SampleSet): ReadonlyMap<string, MeasureInput> {
  set.measures ??= new Map(sampleMeasures([...set.records.values()]).map((measure) => [rowKey(measure), measure]));
  return set.measures;
}
