import type { Attempt } from "../run.ts";
import type { LineageState, NamedAttemptOptions } from "./contract.ts";

export interface BookedAttempt {
  readonly name: string;
  parent: string | null;
  branchStep: number | null;
  firstStep: number | null;
  lastStep: number | null;
  readonly origin: Attempt["origin"];
  question: Attempt["question"];
  startMarker?: string;
  /** The source named it: falling steps inside it begin nothing. */
  readonly named: boolean;
  /** The caller said where it branches; its first step must not overrule that. */
  branchGiven: boolean;
}

/** The attempts of one run in order of launch, and the rules for names, parents and branch steps. */
export interface AttemptBook {
  readonly all: readonly BookedAttempt[];
  get(name: string): BookedAttempt | undefined;
  /** The name the next attempt will get. */
  nextName(): string;
  /** Numbers used up for names. */
  numbered(): number;
  addFirst(): BookedAttempt;
  addNamed(name: string, before: BookedAttempt | undefined, options: NamedAttemptOptions): BookedAttempt;
  add(origin: "marker" | "step-fell-back", before: BookedAttempt, branch: number): BookedAttempt;
  /** What `add` would enter, without entering it. */
  draft(origin: "marker" | "step-fell-back", before: BookedAttempt, branch: number): BookedAttempt;
  remove(attempt: BookedAttempt): void;
  reach(attempt: BookedAttempt, step: number): void;
}

/** `numbered` counts names used up: a name once given to a decided attempt is never given again. */
export function attemptBook(initial: LineageState["attempts"], numbered: number): AttemptBook {
  const all: BookedAttempt[] = initial.map((attempt) => ({ ...attempt }));
  const byName = new Map(all.map((attempt) => [attempt.name, attempt]));
  let used = numbered;

  const get = (name: string): BookedAttempt | undefined => byName.get(name);
  const freeNumber = (): number => {
    let number = used + 1;
    while (get(`a${number}`) !== undefined) number++;
    return number;
  };
  const takeName = (): string => {
    used = freeNumber();
    return `a${used}`;
  };
  const enter = (attempt: BookedAttempt): BookedAttempt => {
    all.push(attempt);
    byName.set(attempt.name, attempt);
    return attempt;
  };

  /** Walks up to the attempt that the branch step belongs to: an attempt that itself branched later cannot hold it. */
  const parentHolding = (before: BookedAttempt, branch: number): BookedAttempt => {
    let holder = before;
    for (let hops = all.length; hops > 0; hops--) {
      const above = holder.parent === null ? undefined : get(holder.parent);
      if (above === undefined || holder.branchStep === null || branch > holder.branchStep) break;
      holder = above;
    }
    return holder;
  };

  const draft: AttemptBook["draft"] = (origin, before, branch) => {
    const fromScratch = branch <= 0;
    return {
      name: `a${freeNumber()}`,
      parent: fromScratch ? before.name : parentHolding(before, branch).name,
      branchStep: fromScratch ? null : branch,
      firstStep: null,
      lastStep: null,
      origin,
      question: fromScratch && origin === "step-fell-back" ? "counter-reset" : null,
      named: false,
      branchGiven: true,
    };
  };

  return {
    all,
    get,
    nextName: () => `a${freeNumber()}`,
    numbered: () => used,
    addFirst: () =>
      enter({
        name: takeName(),
        parent: null,
        branchStep: null,
        firstStep: null,
        lastStep: null,
        origin: "first",
        question: null,
        named: false,
        branchGiven: true,
      }),
    addNamed: (name, before, options) =>
      enter({
        name,
        parent: options.parent === undefined ? (before?.name ?? null) : options.parent,
        branchStep: options.branchStep ?? null,
        firstStep: null,
        lastStep: null,
        origin: "source",
        question: null,
        named: true,
        branchGiven: options.branchStep !== undefined || before === undefined,
      }),
    draft,
    add: (origin, before, branch) => {
      const attempt = draft(origin, before, branch);
      used = Number(attempt.name.slice(1));
      return enter(attempt);
    },
    remove: (attempt) => {
      const index = all.indexOf(attempt);
      if (index >= 0) all.splice(index, 1);
      byName.delete(attempt.name);
    },
    reach: (attempt, step) => {
      if (attempt.firstStep === null || step < attempt.firstStep) attempt.firstStep = step;
      if (attempt.lastStep === null || step > attempt.lastStep) attempt.lastStep = step;
    },
  };
}

export function bookedState(attempts: readonly BookedAttempt[]): LineageState["attempts"] {
  return attempts.map((attempt) => ({ ...attempt }));
}

export function publicAttempt(booked: BookedAttempt): Attempt {
  const { named: _named, branchGiven: _branchGiven, ...attempt } = booked;
  return attempt;
}
