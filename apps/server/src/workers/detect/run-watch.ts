import type { Finding } from "@trainwatch/core";
import { newWatch, resumeWatch, type AttemptWatch, type RankSample } from "@trainwatch/detect";
import type { AttemptState, Judged } from "@trainwatch/store";

export interface WatchedSample extends RankSample {
  /** Name of the attempt. */
  readonly attempt: string;
}

/** All attempts of one run under watch. */
export interface RunWatch {
  /** Takes samples in arrival order; answers findings that are new or have changed. */
  observe(samples: readonly WatchedSample[]): readonly Finding[];
  /** Concludes attempts: those that a later one has followed, and with `ended` all. Answers what that changes. */
  conclude(options: { readonly order: readonly string[]; readonly ended: boolean }): readonly Finding[];
  /** States that have changed since the last call. */
  takeStates(): readonly AttemptState[];
  /** What the run's row says of the newest attempt. */
  judged(newest: string | null): Judged | null;
}

export function newRunWatch(run: string): RunWatch {
  return runWatch(run, new Map(), new Set());
}

/** Null where the stored states cannot be gone on from: other versions of the detectors made them. */
export function resumeRunWatch(run: string, states: readonly AttemptState[]): RunWatch | null {
  const watches = new Map<string, AttemptWatch>();
  const finished = new Set<string>();
  for (const { attempt, state, finished: isFinished } of states) {
    const watch = resumeWatch({ run, attempt }, state);
    if (watch === null) return null;
    watches.set(attempt, watch);
    if (isFinished) finished.add(attempt);
  }
  return runWatch(run, watches, finished);
}

function runWatch(run: string, watches: Map<string, AttemptWatch>, finished: Set<string>): RunWatch {
  const changed = new Set<string>();

  const watchOf = (attempt: string): AttemptWatch => {
    const held = watches.get(attempt);
    if (held !== undefined) return held;
    const made = newWatch({ run, attempt });
    watches.set(attempt, made);
    return made;
  };

  return {
    observe(samples) {
      const findings: Finding[] = [];
      for (const { attempt, samples: stretch } of stretches(samples)) {
        findings.push(...watchOf(attempt).observe(stretch));
        changed.add(attempt);
        // A late sample of a concluded attempt is judged all the same; the attempt is concluded again afterwards.
        finished.delete(attempt);
      }
      return findings;
    },
    conclude({ order, ended }) {
      const newest = order.at(-1);
      const findings: Finding[] = [];
      for (const attempt of order) {
        const watch = watches.get(attempt);
        if (watch === undefined || finished.has(attempt) || (attempt === newest && !ended)) continue;
        findings.push(...watch.conclude());
        finished.add(attempt);
        changed.add(attempt);
      }
      return findings;
    },
    takeStates() {
      const states = [...changed].flatMap((attempt) => {
        const watch = watches.get(attempt);
        return watch === undefined ? [] : [{ attempt, state: watch.state(), coverage: watch.coverage(), finished: finished.has(attempt) }];
      });
      changed.clear();
      return states;
    },
    judged(newest) {
      const watch = newest === null ? undefined : watches.get(newest);
      if (watch === undefined) return null;
      return { stepTimeS: watch.stepTimeS(), logEvery: watch.logEvery(), watched: watch.coverage().some((entry) => entry.sees) };
    },
  };
}

/** Neighbours of one attempt together, so that a monitor is called once for each and the order of arrival stays. */
function stretches(samples: readonly WatchedSample[]): readonly { readonly attempt: string; readonly samples: readonly RankSample[] }[] {
  const parts: { attempt: string; samples: RankSample[] }[] = [];
  for (const sample of samples) {
    const last = parts.at(-1);
    if (last?.attempt === sample.attempt) last.samples.push(sample);
    else parts.push({ attempt: sample.attempt, samples: [sample] });
  }
  return parts;
}
