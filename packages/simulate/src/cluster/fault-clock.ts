import type { PlacedFault } from "./placed-fault.ts";

/** A step that is about to be executed. */
export interface StepMoment {
  /** Place of the attempt among the attempts, from 0. */
  readonly attempt: number;
  readonly attemptName: string;
  readonly step: number;
  /** Steps executed before, in all attempts. */
  readonly tick: number;
  /** When it begins, epoch ms. */
  readonly startMs: number;
}

/** A fault that acts on a step. */
export interface ActiveFault {
  readonly placed: PlacedFault;
  /** Steps executed since its onset. */
  readonly age: number;
}

export interface FaultSpan {
  readonly onset: StepMoment;
  /** The first step that it does not act on any more; null to the end. */
  end: StepMoment | null;
}

/**
 * Which faults act when. A broken device stays broken when the job goes back: a fault begins when its step or second first comes, and goes on for
 * as many executed steps or seconds as it is said to.
 */
export interface FaultClock {
  at(moment: StepMoment): readonly ActiveFault[];
  /** By place among the faults; a fault that never came is missing. */
  readonly spans: ReadonlyMap<number, FaultSpan>;
  /** It begins with this step, whatever was known before. */
  begin(index: number, moment: StepMoment): void;
  /** It acts no more from this step on. */
  end(index: number, moment: StepMoment): void;
  /** All have come, and those that end have ended. */
  isSettled(): boolean;
}

export function faultClock(faults: readonly PlacedFault[], runStartMs: number): FaultClock {
  const spans = new Map<number, FaultSpan>();
  let waiting = faults;
  let active: readonly PlacedFault[] = [];

  function turn(moment: StepMoment): void {
    const due = waiting.filter(({ fault }) => hasBegun(fault, moment, runStartMs));
    for (const { index } of due) spans.set(index, { onset: moment, end: null });
    if (due.length > 0) waiting = waiting.filter((placed) => !due.includes(placed));
    const over = active.filter(({ index, fault }) => isOver(fault, spans.get(index), moment));
    for (const { index } of over) {
      const span = spans.get(index);
      if (span !== undefined) span.end = moment;
    }
    if (due.length > 0 || over.length > 0) active = [...active, ...due].filter((placed) => !over.includes(placed));
  }

  return {
    spans,
    begin(index, moment) {
      spans.set(index, { onset: moment, end: null });
    },
    end(index, moment) {
      const span = spans.get(index);
      if (span !== undefined) span.end = moment;
      active = active.filter((placed) => placed.index !== index);
    },
    at(moment) {
      turn(moment);
      return active.map((placed) => ({ placed, age: moment.tick - (spans.get(placed.index)?.onset.tick ?? moment.tick) }));
    },
    isSettled: () =>
      waiting.length === 0 &&
      active.every(
        ({ fault: { kind, forSteps, forSeconds } }) => kind !== "bad-batch" && forSteps === undefined && forSeconds === undefined,
      ),
  };
}

function hasBegun({ step, seconds = 0 }: PlacedFault["fault"], moment: StepMoment, runStartMs: number): boolean {
  return step === undefined ? moment.startMs >= runStartMs + seconds * 1000 : moment.step >= step;
}

function isOver({ kind, forSteps: said, forSeconds }: PlacedFault["fault"], span: FaultSpan | undefined, moment: StepMoment): boolean {
  if (span === undefined) return false;
  // A bad batch is one step; that it comes again wherever its data are read is the model's to know.
  const forSteps = kind === "bad-batch" ? 1 : said;
  if (forSteps !== undefined) return moment.tick >= span.onset.tick + forSteps;
  return forSeconds !== undefined && moment.startMs >= span.onset.startMs + forSeconds * 1000;
}
