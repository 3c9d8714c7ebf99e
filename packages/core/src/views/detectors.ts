import type { RuleScope } from "../rule.ts";
import type { Severity } from "../severity.ts";

export const DETECTOR_FAMILIES = ["training", "rank", "fleet", "clock"] as const;
/** What a detector looks at: one series of a run, steps × ranks, entities of the fleet over time, or what did not happen. */
export type DetectorFamily = (typeof DETECTOR_FAMILIES)[number];

/** How well a detector does on the corpus and on injections, as `npm run bench -- detect` measured it. */
export interface DetectorQuality {
  readonly falseAlarms: string | null;
  readonly delay: string | null;
  readonly recall: string | null;
  /** The command that gives these figures. */
  readonly command: string | null;
}

export interface DetectorView {
  readonly id: string;
  readonly family: DetectorFamily;
  readonly version: number;
  readonly title: string;
  readonly finds: string;
  readonly source: string;
  /** Canonical metrics or fields that it reads. */
  readonly reads: readonly string[];
  readonly parameters: readonly {
    readonly name: string;
    /** Default. */
    readonly value: number;
    /** What holds in the scope that was asked for. */
    readonly inForce: number;
    readonly unit: string;
    readonly meaning: string;
    /** Bounds of an override, both included; null: it must be above zero where the default is. */
    readonly least: number | null;
    readonly most: number | null;
  }[];
  readonly enabled: boolean;
  /** What its findings of warning and worse are told at; null: as the detector says. */
  readonly severity: Severity | null;
  /** The rule in force in the scope that was asked for; null: the defaults. */
  readonly ruleId: number | null;
  readonly ruleScope: RuleScope | null;
  readonly quality: DetectorQuality | null;
}

/** What people said of a detector's alarms. Unsure ones count for neither side. */
export interface LabelCounts {
  readonly right: number;
  readonly wrong: number;
  readonly unsure: number;
  /** right / (right + wrong) with its Wilson interval at 95 %; null where nobody has said right or wrong. */
  readonly precision: { readonly share: number; readonly lower: number; readonly upper: number } | null;
}

export interface DetectorPrecision {
  readonly detector: string;
  readonly total: LabelCounts;
  /** Incidents of this detector that nobody has labelled. */
  readonly unlabelled: number;
  /** By week of the incident's beginning (Monday 00:00 UTC), oldest first; weeks without a label are left out. */
  readonly weeks: readonly (LabelCounts & { readonly weekMs: number })[];
}

/** How the detectors of one family are themselves. */
export interface DetectorHealth {
  readonly family: DetectorFamily;
  /** What waits to be judged: samples that no detector has read, or ticks of the fleet that are due. Null where nothing was ever judged. */
  readonly behind: number | null;
  readonly behindUnit: "pushes" | "ticks";
  /** How long the oldest of these has waited, ms; 0 where none waits. */
  readonly lagMs: number | null;
  /** Newest sample or tick that was judged, epoch ms of its own time. */
  readonly lastSampleAtMs: number | null;
  /** Runs (or, of the fleet, one) that are watched now. */
  readonly watched: number;
  /** Detectors that cannot see, and on how many runs, with one run's reason; the most blind first. */
  readonly blind: readonly { readonly detector: string; readonly runs: number; readonly why: string }[];
}

export interface DetectorsHealth {
  readonly nowMs: number;
  /** Whether some process judges now: it renews its lease every few seconds. */
  readonly alive: boolean;
  readonly families: readonly DetectorHealth[];
}
