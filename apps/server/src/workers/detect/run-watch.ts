import type { Finding, RankPlacement } from "@trainwatch/core";
import { newWatch, resumeWatch, type AttemptWatch, type ClockFacts, type MonitorContext, type RankSample } from "@trainwatch/detect";
import type { AttemptState, Judged } from "@trainwatch/store";
import { createRuleWatch, ruleMetrics, type NamedMetricRule, type RuleWatch } from "./rule-watch.ts";

export interface WatchedSample extends RankSample {
  /** Name of the attempt. */
  readonly attempt: string;
}

/** What a run is watched by: the detectors with the parameters in force, and the thresholds that people have set on its metrics. */
export interface Tuning {
  readonly parameters: NonNullable<MonitorContext["parameters"]>;
  readonly metricRules: readonly NamedMetricRule[];
}

/** All attempts of one run under watch. */
export interface RunWatch {
  /** Takes samples in arrival order; answers findings that are new or have changed. */
  observe(samples: readonly WatchedSample[]): readonly Finding[];
  /** Where the ranks of an attempt are; false where that is known already. */
  place(attempt: string, placements: readonly RankPlacement[]): boolean;
  placements(attempt: string): readonly RankPlacement[];
  /** What the clock tells of an attempt; nothing of one that was never seen. */
  clock(attempt: string, facts: ClockFacts): readonly Finding[];
  /**
   * Other rules from now on; false where these are in force already. A detector whose parameters have changed begins anew with the next sample: what is past stays judged as it
   * was, by the rules of its time.
   */
  tune(tuning: Tuning): boolean;
  /** Concludes attempts: those that a later one has followed, and with `ended` all. Answers what that changes; null where none was to be concluded. */
  conclude(options: {
    readonly order: readonly string[];
    readonly ended: boolean;
    readonly factsOf: (attempt: string) => ClockFacts;
  }): readonly Finding[] | null;
  /** Findings of rules that are not in force any more, brought to their end. Once. */
  takeRetired(): readonly Finding[];
  /** States that have changed since the last call. */
  takeStates(): readonly AttemptState[];
  /** What the run's row says of the newest attempt. */
  judged(newest: string | null): Judged | null;
  /** Metrics that the rules read. */
  ruleMetrics(): readonly string[];
  /** Ranks that log for themselves, of the widest attempt: what the states and a step weigh. */
  ranks(): number;
}

interface Watched {
  watch: AttemptWatch;
  rules: RuleWatch;
  placements: readonly RankPlacement[];
}

/** What is stored of an attempt. */
interface StoredWatch {
  readonly watch: unknown;
  readonly rules: unknown;
}

export function newRunWatch(run: string, tuning: Tuning): RunWatch {
  return runWatch(run, tuning, new Map(), new Set());
}

/** Null where the stored states cannot be gone on from: other versions of the detectors made them. */
export function resumeRunWatch(run: string, tuning: Tuning, states: readonly AttemptState[]): RunWatch | null {
  const attempts = new Map<string, Watched>();
  const finished = new Set<string>();
  for (const { attempt, state, finished: isFinished } of states) {
    const stored = isStored(state) ? state : null;
    const context = { run, attempt, parameters: tuning.parameters };
    const watch = stored === null ? null : resumeWatch(context, stored.watch);
    if (watch === null) return null;
    attempts.set(attempt, { watch, rules: createRuleWatch(context, tuning.metricRules, stored?.rules), placements: [] });
    if (isFinished) finished.add(attempt);
  }
  return runWatch(run, tuning, attempts, finished);
}

function isStored(state: unknown): state is StoredWatch {
  return typeof state === "object" && state !== null && "watch" in state && "rules" in state;
}

function runWatch(run: string, first: Tuning, attempts: Map<string, Watched>, finished: Set<string>): RunWatch {
  const changed = new Set<string>();
  let tuning = first;
  let tuningText = JSON.stringify(first);

  const contextOf = (attempt: string): MonitorContext => ({ run, attempt, parameters: tuning.parameters });
  const watchedOf = (attempt: string): Watched => {
    const held = attempts.get(attempt);
    if (held !== undefined) return held;
    const context = contextOf(attempt);
    const made = { watch: newWatch(context), rules: createRuleWatch(context, tuning.metricRules, undefined), placements: [] };
    attempts.set(attempt, made);
    return made;
  };

  return {
    observe(samples) {
      const findings: Finding[] = [];
      for (const { attempt, samples: stretch } of stretches(samples)) {
        const { watch, rules } = watchedOf(attempt);
        for (const finding of watch.observe(stretch)) findings.push(finding);
        for (const finding of rules.observe(stretch)) findings.push(finding);
        changed.add(attempt);
        // A late sample of a concluded attempt is judged all the same; the attempt is concluded again afterwards.
        finished.delete(attempt);
      }
      return findings;
    },
    place(attempt, placements) {
      const watched = watchedOf(attempt);
      if (JSON.stringify(watched.placements) === JSON.stringify(placements)) return false;
      watched.placements = placements;
      watched.watch.place(placements);
      changed.add(attempt);
      return true;
    },
    placements: (attempt) => attempts.get(attempt)?.placements ?? [],
    clock(attempt, facts) {
      const findings = attempts.get(attempt)?.watch.clock(facts) ?? [];
      if (findings.length > 0) changed.add(attempt);
      return findings;
    },
    tune(next) {
      const text = JSON.stringify(next);
      if (text === tuningText) return false;
      tuning = next;
      tuningText = text;
      for (const [attempt, watched] of attempts) {
        const context = contextOf(attempt);
        watched.watch = resumeWatch(context, watched.watch.state(), watched.placements) ?? newWatch(context, watched.placements);
        watched.rules = createRuleWatch(context, next.metricRules, watched.rules.state());
        changed.add(attempt);
      }
      return true;
    },
    conclude({ order, ended, factsOf }) {
      const newest = order.at(-1);
      const findings: Finding[] = [];
      let isAny = false;
      for (const attempt of order) {
        const watched = attempts.get(attempt);
        if (watched === undefined || finished.has(attempt) || (attempt === newest && !ended)) continue;
        findings.push(...watched.watch.conclude(), ...watched.rules.conclude(), ...watched.watch.clock(factsOf(attempt)));
        finished.add(attempt);
        changed.add(attempt);
        isAny = true;
      }
      return isAny ? findings : null;
    },
    takeRetired: () => [...attempts.values()].flatMap(({ rules }) => rules.takeRetired()),
    takeStates() {
      const states = [...changed].flatMap((attempt) => {
        const watched = attempts.get(attempt);
        if (watched === undefined) return [];
        const state = { watch: watched.watch.state(), rules: watched.rules.state() } satisfies StoredWatch;
        return [{ attempt, state, coverage: [...watched.watch.coverage(), ...watched.rules.coverage()], finished: finished.has(attempt) }];
      });
      changed.clear();
      return states;
    },
    judged(newest) {
      const watch = newest === null ? undefined : attempts.get(newest)?.watch;
      if (watch === undefined) return null;
      return { stepTimeS: watch.stepTimeS(), logEvery: watch.logEvery(), watched: watch.coverage().some((entry) => entry.sees) };
    },
    ruleMetrics: () => ruleMetrics(tuning.metricRules),
    ranks: () => Math.max(0, ...[...attempts.values()].map(({ watch }) => watch.rankSteps().size)),
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
