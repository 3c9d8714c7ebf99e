import { xidEntry } from "@trainwatch/core";
import type { Cause, CauseFactName } from "@trainwatch/core";
import { agreementRatio } from "./agreement.ts";
import type { Trouble } from "./trouble.ts";

/** How many times likelier a fact is under each cause than under those not named. */
export type Factors = Readonly<Partial<Record<Cause, number>>>;

export interface FactorRow {
  /** Facts of one origin are one piece of evidence: of each cause the strongest factor of the origin counts, once. */
  origin(value: number | null): string;
  /** Null: at this value it says nothing in this trouble. */
  factors(value: number | null, trouble: Trouble): Factors | null;
  readonly source: string;
}

const E6 = "detection.md E.6";
const OURS = "ours, to be calibrated";
/** What needs no other evidence (E.6). */
const PROOF = 10_000;

const from = (origin: string) => (): string => origin;
const only =
  (wanted: readonly Trouble[], factors: Factors) =>
  (_value: number | null, trouble: Trouble): Factors | null =>
    wanted.includes(trouble) ? factors : null;
const inLearning = (factors: Factors) => only(["learning"], factors);
const always = (factors: Factors) => (): Factors => factors;
const atLeast =
  (least: number, inner: FactorRow["factors"]): FactorRow["factors"] =>
  (value, trouble) =>
    value === null || value >= least ? inner(value, trouble) : null;
const atMost =
  (most: number, inner: FactorRow["factors"]): FactorRow["factors"] =>
  (value, trouble) =>
    value === null || value <= most ? inner(value, trouble) : null;

/** Nodes lost together from which it is not the nodes. */
export const MANY_LOST = 3;
/** Hours within which a memory error on the node speaks against its GPUs, steps within which a resume is suspected (A.6). */
const MEMORY_ERROR_HOURS = 24;
const RESUME_STEPS = 200;

/**
 * What each fact says of each cause: one table, as data. Factors are relative to the causes that a row does not name; where E.6 gives the odds of hardware against all
 * others the row gives those odds at the prior of `learning` (a test holds it to that). A row speaks for its causes with one strength, so that more of it never lowers one of them.
 */
export const FACTORS: Readonly<Record<CauseFactName, FactorRow>> = {
  "rank-deviates": {
    origin: from("rank outlier"),
    // One step may be the rank's own micro-batch; the same rank on three batches is not (A.6).
    factors: (value, trouble) => (trouble !== "learning" ? null : (value ?? 1) >= 3 ? { hardware: 30 } : { hardware: 3, optimizer: 0.5 }),
    source: `${E6}: the same rank on 3 or more batches 30; fewer: ours`,
  },
  "all-ranks-move": { origin: from("all ranks"), factors: atLeast(0.5, only(["learning", "slow"], { hardware: 0.2 })), source: E6 },
  "single-step": {
    origin: from("single step"),
    factors: inLearning({ data: 5 }),
    source: "detection.md finding 2: 373 of 383 outlier episodes last one step, 68 of 73 runs spike on the same two batches; factor ours",
  },
  "batch-spiked-elsewhere": {
    origin: from("batch"),
    factors: atLeast(1, inLearning({ data: 10, hardware: 0.1 })),
    source: `${E6}: 0.02 against hardware; A.6`,
  },
  "same-step-again": {
    origin: from("same step"),
    factors: atLeast(1, inLearning({ data: 3, optimizer: 3, hardware: 0.2 })),
    source: `detection.md A.6: for data and optimizer, against hardware; factors ${OURS}`,
  },
  "norm-led-loss": {
    origin: from("precursor"),
    factors: atLeast(1, inLearning({ optimizer: 2 })),
    source: "detection.md finding 3 (BLOOM-176B), Adam lag (2506.04805); factor ours",
  },
  "loss-scale-collapsed": {
    origin: from("numerics"),
    factors: inLearning({ optimizer: 4 }),
    source: "detection.md A.1: OPT-175B, loss scale at its floor; factor ours",
  },
  "attention-logit-high": {
    origin: from("numerics"),
    factors: (value, trouble) => (trouble !== "learning" || value === null || value < 100 ? null : { optimizer: value > 1_000 ? 20 : 3 }),
    source: "detection.md A.1: Kimi K2, above 1,000 before a divergence, clipped at 100; factors ours",
  },
  "after-resume": {
    origin: from("resume"),
    factors: atMost(RESUME_STEPS, inLearning({ software: 8, hardware: 0.42 })),
    source: `${E6}: 0.2 against hardware; A.6: check first`,
  },
  "learning-rate-off": {
    origin: from("resume"),
    factors: inLearning({ software: 60 }),
    source: "detection.md A.6: check first (a resume bug that reset the rate cost IDEFICS two restarts); factor ours",
  },
  "replica-hash-mismatch": {
    origin: from("replicas"),
    // One replica of many: its device. Many at once: what they run (BLOOM's layer norms took 15 days to find by hand).
    factors: (value) => ((value ?? 1) <= 2 ? { hardware: PROOF } : { hardware: 30, software: 30 }),
    source: "detection.md B.2: any mismatch is a proof; it also catches desync bugs (BLOOM, TrainCheck)",
  },
  "recompute-mismatch": {
    origin: from("recompute"),
    factors: always({ hardware: 1_000 }),
    source: "detection.md B.1: AEGIS found 12 of 18 by it; one out-of-bounds write looked the same",
  },
  "non-finite": {
    origin: from("non-finite"),
    factors: inLearning({ hardware: 3 }),
    source: "detection.md D.1: ByteRobust, 3 of 4 NaN were infrastructure; weakened for so few",
  },
  "replay-elsewhere-agreed": {
    origin: from("replay elsewhere"),
    factors: always({ hardware: 0.01 }),
    source: `${E6}, B.6: it speaks of this step only`,
  },
  "replay-elsewhere-disagreed": { origin: from("replay elsewhere"), factors: always({ hardware: PROOF }), source: `${E6}, B.6` },
  "rerun-agreed": {
    origin: from("re-run"),
    factors: (value) => ({ hardware: agreementRatio(value ?? 1) }),
    source: "detection.md B.6: log-uniform chance of showing, 1 to 100 % a run",
  },
  "rerun-disagreed": {
    origin: from("re-run"),
    factors: always({ hardware: PROOF }),
    source: "detection.md B.6: the device is bad, where the run is bit-deterministic",
  },
  "node-memory-error": {
    origin: from("error code"),
    factors: atMost(MEMORY_ERROR_HOURS, (_, trouble) => ({ hardware: trouble === "slow" ? 3 : 10 })),
    source: `${E6}: 10 within 24 h`,
  },
  "gpu-error": {
    origin: (value) => (isLinkError(value) ? "link" : "error code"),
    factors: ofError,
    source: "detection.md C.2, D.1 (illegal access: 41 of 62 user code), xid.csv; factors ours",
  },
  "node-flagged-before": { origin: from("history"), factors: atLeast(1, always({ hardware: 5 })), source: E6 },
  "node-age": {
    origin: from("age"),
    factors: (value) => (value !== null && value >= 1 ? { hardware: 1.5 } : null),
    source: `${E6}: over one year`,
  },
  "gpu-lost": { origin: from("error code"), factors: always({ hardware: 100 }), source: `detection.md finding 9; factor ${OURS}` },
  "node-lost": {
    origin: from("error code"),
    // Many at once share a switch, a power feed, or the source that tells of them.
    factors: (value, trouble) =>
      (value ?? 1) >= MANY_LOST ? { network: 20, software: 20 } : { hardware: trouble === "learning" ? 3 : 20 },
    source: `detection.md finding 9, C.4; factors ${OURS}`,
  },
  throttled: {
    origin: from("held back"),
    factors: atLeast(0.01, only(["slow", "device"], { hardware: 50 })),
    source: "detection.md C.1: over 1 % of the time; factor ours",
  },
  hot: {
    origin: from("held back"),
    factors: (_, trouble) => ({ hardware: trouble === "slow" ? 10 : 1.5 }),
    source: `detection.md C.1, G.2; factors ${OURS}`,
  },
  "link-errors": {
    origin: from("link"),
    factors: only(["slow", "stopped", "device"], { network: 30 }),
    source: `detection.md C.1; factor ${OURS}`,
  },
  "link-down": {
    origin: from("link"),
    factors: only(["slow", "stopped", "device"], { network: 100 }),
    source: `detection.md C.1; factor ${OURS}`,
  },
  "link-slow": {
    origin: from("link"),
    factors: atMost(0.9, only(["slow", "stopped", "device"], { network: 50 })),
    source: `detection.md C.1, G.2; factor ${OURS}`,
  },
  "rank-compute-slow": {
    origin: from("compute"),
    factors: atLeast(1.05, only(["slow", "stopped"], { hardware: 300, network: 0.5, "data-loading": 0.5 })),
    source: `detection.md C.4: compute against the cohort, CUSUM as B.4; factors ${OURS}`,
  },
  "node-compute-slow": {
    origin: from("compute"),
    factors: atLeast(1.05, only(["slow", "stopped"], { hardware: 600, network: 0.5, "data-loading": 0.5 })),
    source: `detection.md C.4; factors ${OURS}`,
  },
  "last-stage-slow": {
    origin: from("stage"),
    factors: atLeast(1.05, only(["slow"], { "last-stage": 30 })),
    source: `detection.md finding 7, C.4: separate the last stage first; factor ${OURS}`,
  },
  "sequence-load-correlates": {
    origin: from("sequence load"),
    factors: atLeast(0.9, only(["slow"], { "sequence-length": 60, hardware: 0.1 })),
    source: "detection.md C.4: a correlation of at least 0.9 is sequence length and not the node (ByteDance); factors ours",
  },
  "transfer-slow": {
    origin: from("link"),
    factors: atLeast(1.05, only(["slow", "stopped"], { network: 30 })),
    source: `detection.md C.4: transfer from the latest start to the end; factor ${OURS}`,
  },
  "data-wait": {
    origin: from("data wait"),
    // A share of the step, or a ratio to what it was.
    factors: atLeast(0.05, only(["slow", "stopped"], { "data-loading": 100 })),
    source: `detection.md C.4; factor ${OURS}`,
  },
  "ranks-behind": {
    origin: from("behind"),
    // One rank, or the ranks of one node, never came: something ails it. Half of them behind points to what they all run.
    factors: (value, trouble) => (trouble !== "stopped" || value === null || value > 8 ? null : { hardware: 2 }),
    source: `detection.md C.3, C.4: the missing rank at the lowest sequence number; factor ${OURS}`,
  },
  "same-error-on-most-nodes": {
    origin: from("error code"),
    factors: atLeast(0.5, always({ software: 30, hardware: 0.2 })),
    source: "detection.md C.2: over half of a job's nodes within 60 s is the application; factors ours",
  },
};

/** SXids have numbers of five digits, XIDs of at most three. */
function isLinkError(value: number | null): boolean {
  return value !== null && (value >= 10_000 || xidEntry(value)?.class === "link");
}

/** An XID by its class. 43 and 45 are what any end of a process looks like. */
function ofError(value: number | null, trouble: Trouble): Factors | null {
  if (value === 43 || value === 45) return null;
  const strength = trouble === "learning" ? 10 : trouble === "slow" ? 20 : 100;
  if (isLinkError(value)) return trouble === "learning" ? null : { network: strength / 2 };
  // 154: the driver itself asks for a reset or a replacement.
  if (value === 154) return { hardware: strength / 2 };
  const entry = value === null ? null : xidEntry(value);
  switch (entry?.class) {
    case "gpu":
    case "memory":
    case "pcie":
    case "power":
      return { hardware: strength };
    case "driver":
      return entry.policy === "page" ? { hardware: strength / 2 } : { software: 2 };
    case "application":
      return { software: 4 };
    case "ambiguous":
      return { software: 2 };
    default:
      return null;
  }
}
