import type { Dimension } from "../evaluation/dimension.ts";
import type { Gate, GateState } from "../evaluation/gate.ts";
import type { Correction, ReleaseSpec } from "../evaluation/release.ts";
import type { JsonNumber } from "../non-finite.ts";
import type { CheckpointState } from "../run.ts";

export const VERDICTS = ["better", "worse", "tie", "not-comparable", "missing", "not-run"] as const;
/** `missing`: run, but without a usable value; `not-run`: no result at all; never 0. `tie` is not "no loss": see `equivalent`. */
export type Verdict = (typeof VERDICTS)[number];

/** In running text. */
export const VERDICT_WORDS = {
  better: "better",
  worse: "worse",
  tie: "tie",
  "not-comparable": "not comparable",
  missing: "missing",
  "not-run": "not run",
} as const satisfies Record<Verdict, string>;

/** How a difference was judged. `paired-clustered` is Student's t on the mean of paired differences, cluster-robust where samples share a cluster. */
export type CellTest = "mcnemar-exact" | "paired-bootstrap" | "paired-clustered" | "unpaired-z" | "none";

export interface SettingDifference {
  /** Name of the setting; `stderr` where the two errors were got by different methods. */
  readonly setting: string;
  readonly title: string;
  /** Null: not told by the source. */
  readonly baseline: string | null;
  readonly candidate: string | null;
  /** Whether it alone forbids the comparison; else it is a doubt that is shown. */
  readonly forbids: boolean;
}

/** One column's result in one row, against the baseline. All differences are candidate − baseline in the row's unit. */
export interface ReleaseCell {
  readonly value: JsonNumber;
  /** Interval of the value at the comparison's level; null where no error is known. */
  readonly low: number | null;
  readonly high: number | null;
  readonly n: number | null;
  /** Samples without a score. */
  readonly unscored: number;
  readonly verdict: Verdict;
  readonly delta: number | null;
  readonly deltaLow: number | null;
  readonly deltaHigh: number | null;
  readonly test: CellTest;
  /** Before and after the correction over the whole comparison. */
  readonly p: number | null;
  readonly adjustedP: number | null;
  /** Common samples, and of those with a pass or fail score: lost and won against the baseline. */
  readonly pairs: number | null;
  readonly lost: number | null;
  readonly won: number | null;
  /** Of a tie: whether a loss beyond the margin is ruled out (non-inferiority, one-sided); null where nothing can be said. */
  readonly equivalent: boolean | null;
  /** About how many more common samples would settle a tie at 80 % power; null where it is settled or not to be said. */
  readonly moreSamples: number | null;
  readonly differences: readonly SettingDifference[];
  /** A person has allowed the comparison in spite of what differs. */
  readonly overridden: boolean;
  /** What else to know, in sentences: "Standard errors by different methods", "3 samples unscored". */
  readonly notes: readonly string[];
  readonly evaluatedAtMs: number | null;
}

export interface ReleaseRow {
  /** Stable over time: task, metric and filter. */
  readonly key: string;
  readonly task: string;
  readonly metric: string;
  readonly filter: string | null;
  readonly title: string;
  readonly dimension: Dimension;
  /** As written after the number; shares are written in %, with `scale` 100. */
  readonly unit: string;
  readonly scale: number;
  readonly digits: number;
  readonly better: "higher" | "lower" | "none";
  /** A mean over subtasks, and how weighted in words ("mean of 57 tasks, each alike"). */
  readonly group: string | null;
  /** Settings of the baseline in words: "5-shot, strict-match". */
  readonly settings: string;
  /** By column: the baseline first. Its own verdict is a tie. */
  readonly cells: readonly ReleaseCell[];
  /** Columns best first. Those of one group are not told apart; a column may stand in two overlapping groups. Columns that cannot be ordered stand in none. */
  readonly order: readonly number[];
  readonly tieGroups: readonly (readonly number[])[];
}

export interface ReleaseColumn {
  readonly scorecardId: number;
  /** P for the baseline, then A, B, C… */
  readonly letter: string;
  readonly model: string;
  readonly run: { readonly runId: number; readonly project: string; readonly name: string } | null;
  readonly step: number | null;
  readonly checkpointId: number | null;
  readonly checkpointState: CheckpointState | null;
  /** What to know of its training: "after the turning point 1,870", "1 open incident before it". */
  readonly warnings: readonly string[];
  readonly counts: Readonly<Record<Verdict, number>>;
}

/** Samples that the baseline solved and the candidate does not, and the reverse, by category. */
export interface BreakCluster {
  readonly task: string;
  readonly category: string | null;
  readonly lost: number;
  readonly won: number;
  /** A lost sample by its key, and epoch where it has several. */
  readonly example: { readonly rowKey: string; readonly key: string; readonly epoch: number; readonly prompt: string | null } | null;
}
export interface BreakSummary {
  readonly column: number;
  readonly pairs: number;
  readonly lost: number;
  readonly won: number;
  readonly clusters: readonly BreakCluster[];
  readonly clusterTotal: number;
}

/**
 * A column's mean goodness over a dimension, from 0 to 1 (1 − value where lower is better), each task alike, of rows that all columns have; null where
 * none are common. Cost has none; safety has its own and is never averaged with the others.
 */
export interface DimensionScore {
  readonly dimension: Dimension;
  readonly rows: number;
  readonly scores: readonly ({ readonly value: number; readonly low: number | null; readonly high: number | null } | null)[];
}

export interface ParetoPoint {
  readonly column: number;
  readonly quality: number;
  readonly qualityLow: number | null;
  readonly qualityHigh: number | null;
  readonly cost: number;
  readonly costLow: number | null;
  readonly costHigh: number | null;
  /** Whether no other column is better in both. */
  readonly onFront: boolean;
}
export interface ParetoView {
  readonly costRow: string;
  readonly costTitle: string;
  readonly costUnit: string;
  /** What quality is the mean of: "Task results". */
  readonly qualityTitle: string;
  readonly points: readonly ParetoPoint[];
}

/** Who wins if the quality dimensions are weighed otherwise. */
export interface WeightsView {
  readonly dimensions: readonly Dimension[];
  /** Share of equally likely weightings that each column wins; by column. */
  readonly wins: readonly number[];
  readonly draws: number;
  /** Along one dimension's weight (the others alike): who wins where, as ranges of that weight. */
  readonly along: readonly {
    readonly dimension: Dimension;
    readonly ranges: readonly { readonly from: number; readonly to: number; readonly column: number }[];
    /** "B wins for any capability weight under 0.62". */
    readonly text: string;
  }[];
}

export interface ReleaseComparison {
  readonly columns: readonly ReleaseColumn[];
  readonly rows: readonly ReleaseRow[];
  /** What the verdicts share: how many tests, which correction, at which level; said on the page. */
  readonly family: { readonly tests: number; readonly correction: Correction; readonly level: number; readonly margin: number };
  readonly dimensions: readonly DimensionScore[];
  readonly pareto: ParetoView | null;
  readonly weights: WeightsView | null;
  /** Null: no per-sample results in common. By candidate. */
  readonly breaks: readonly BreakSummary[];
  /** What could not be said and why, in sentences. */
  readonly notes: readonly string[];
}

export interface GateCell {
  readonly column: number;
  readonly state: GateState;
  /** "99.2 %", "−0.7 pp, at least −2.1". */
  readonly text: string;
  readonly override: { readonly reason: string; readonly actor: string; readonly atMs: number } | null;
}
export interface GateView {
  readonly gateId: number;
  readonly gate: Gate;
  readonly title: string;
  readonly cells: readonly GateCell[];
}

export interface ReleaseSignature {
  readonly role: string;
  readonly signedAs: string;
  readonly actor: string;
  readonly atMs: number;
  readonly scorecardId: number;
  readonly hash: string;
}

export interface ReleaseOverride {
  readonly rowKey: string;
  readonly scorecardId: number;
  readonly reason: string;
  readonly actor: string;
  readonly atMs: number;
}

export interface ReleaseSummary {
  readonly releaseId: number;
  readonly spec: ReleaseSpec;
  readonly createdAtMs: number;
  readonly createdBy: string;
  readonly baseline: string;
  readonly candidates: readonly string[];
  readonly gatesFixedAtMs: number | null;
  readonly gates: number;
  /** Model that was signed for, once the first signature is there. */
  readonly chosen: string | null;
  readonly chosenScorecardId: number | null;
  readonly signed: number;
  readonly complete: boolean;
}
export interface ReleasePage {
  readonly items: readonly ReleaseSummary[];
  readonly total: number;
  readonly next: string | null;
}

export interface ReleaseDetail extends ReleaseSummary {
  readonly comparison: ReleaseComparison;
  readonly gateViews: readonly GateView[];
  /** Results that were there when the gates were fixed: 0 is "before the first result". */
  readonly resultsBeforeGates: number | null;
  readonly overrides: readonly ReleaseOverride[];
  readonly signatures: readonly ReleaseSignature[];
  /** Of the copy that was signed; null before the first signature. */
  readonly frozen: { readonly hash: string; readonly atMs: number; readonly rows: number; readonly changedRows: number } | null;
}

/** What was signed, as it was: never changed. `hash` is the SHA-256 of `body`. */
export interface FrozenRelease {
  readonly hash: string;
  readonly atMs: number;
  /** Canonical JSON. */
  readonly body: string;
}

/** What makes a result another one: a value may come again from other samples. */
export type FrozenResult = Pick<ReleaseCell, "value" | "verdict" | "n" | "lost" | "won">;

/** A row whose result is another than in the frozen copy. */
export interface FrozenDifference {
  readonly key: string;
  readonly title: string;
  readonly letter: string;
  readonly before: FrozenResult | null;
  readonly now: FrozenResult | null;
}

/** One common sample of a row: regressions first. */
export interface SampleDifference {
  readonly key: string;
  readonly epoch: number;
  readonly category: string | null;
  readonly baseline: JsonNumber;
  readonly candidate: JsonNumber;
  /** Candidate − baseline, signed so that negative is worse. */
  readonly change: number | null;
  readonly prompt: string | null;
}
export interface SampleDifferencePage {
  readonly items: readonly SampleDifference[];
  readonly total: number;
  readonly lost: number;
  readonly won: number;
  readonly unscored: number;
  /** Samples that only one of the two has. */
  readonly onlyBaseline: number;
  readonly onlyCandidate: number;
  readonly next: string | null;
}
export interface SampleSide {
  readonly answer: string | null;
  readonly scores: Readonly<Record<string, JsonNumber>>;
  readonly tokens: number | null;
  readonly latencyS: number | null;
}
/** What a candidate said to an example of what it breaks, cut to what a list shows; null where no answer is stored. */
export interface ExampleAnswer {
  readonly rowKey: string;
  readonly key: string;
  readonly epoch: number;
  readonly answer: string | null;
}

export interface SampleTexts {
  readonly key: string;
  readonly epoch: number;
  readonly prompt: string | null;
  readonly target: string | null;
  readonly baseline: SampleSide | null;
  readonly candidate: SampleSide | null;
}
