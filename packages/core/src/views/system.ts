import type { FleetSignalName } from "../fleet/field.ts";
import type { IncidentSummary } from "./incidents.ts";
import type { RunSummary, Sparkline } from "./runs.ts";

/** What the foot of every page says. Rates are over the last minute, counts over the last hour. */
export interface SystemStatus {
  readonly nowMs: number;
  readonly version: string;
  /** Of runs and of the fleet; null where none has come. */
  readonly newestSampleAtMs: number | null;
  readonly newestRunSampleAtMs: number | null;
  readonly samplesPerSecond: number;
  readonly lastHour: { readonly accepted: number; readonly repeated: number; readonly refused: number };
  readonly runsReporting: number;
  readonly runsActive: number;
  readonly openIncidents: { readonly critical: number; readonly warning: number; readonly info: number };
  /** Active runs on which a detector cannot see, and why. */
  readonly blind: readonly { readonly runId: number; readonly run: string; readonly detector: string; readonly why: string }[];
  readonly detectLagMs: number | null;
  /** Null where no node has ever sent anything. */
  readonly fleet: FleetSummary | null;
  readonly demo: boolean;
}

/** The fleet in one line; half a minute old at most. */
export interface FleetSummary {
  readonly nodes: number;
  /** Nodes with a reading of the last three minutes. */
  readonly nodesReporting: number;
  readonly gpus: number;
  /** Signals that are not seen on some of the nodes that report, and on how many; the most blind first (E7). */
  readonly blind: readonly { readonly signal: FleetSignalName; readonly title: string; readonly nodes: number }[];
}

/** Sums over every incident that is not resolved, of runs that are not archived; none of them ends with a page. */
export interface OpenIncidentTotals {
  readonly total: number;
  /** Not acknowledged by anybody. */
  readonly untaken: number;
  /** Those that burn GPU time now, as far as it is known. */
  readonly burning: number;
  /** GPUs of the runs of those that burn, a run counted once; null where not one rate is known, 0 where nothing is open. */
  readonly gpuHoursPerHour: number | null;
  /** Incidents left out of the rate: their run has not said how many GPUs it uses, or is silent and may use none. */
  readonly rateUnknown: { readonly noGpus: number; readonly silent: number };
  /** Since their onsets; null where not one cost is known, 0 where nothing is open. */
  readonly gpuHoursSoFar: number | null;
  /** Incidents left out of `gpuHoursSoFar`. */
  readonly costUnknown: number;
}

export interface Overview {
  /** The first of the open ones; `openTotals` counts them all. */
  readonly incidents: readonly IncidentSummary[];
  readonly openTotals: OpenIncidentTotals;
  readonly runs: readonly (RunSummary & { readonly signal: Sparkline })[];
  /** Equal words of one incident are one entry. */
  readonly recent: readonly {
    /** Of the newest of them. */
    readonly atMs: number;
    readonly text: string;
    readonly times: number;
    readonly incidentId: number | null;
    readonly runId: number | null;
  }[];
  readonly gpusWatched: number | null;
  readonly newestVerifiedCheckpoint: {
    readonly runId: number;
    readonly run: string;
    readonly step: number;
    readonly savedAtMs: number | null;
  } | null;
}

export const SCOPES = ["ingest", "read", "operate", "admin"] as const;
export type Scope = (typeof SCOPES)[number];

export interface TokenView {
  readonly id: number;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** First characters, enough to tell tokens apart. */
  readonly prefix: string;
  readonly createdAtMs: number;
  readonly lastUsedAtMs: number | null;
  readonly revokedAtMs: number | null;
}

export interface Settings {
  /** Runs that have not moved for so many days are deleted; null keeps them. */
  readonly retentionDays: number | null;
  /** Readings of the fleet are kept as they were sent for so many days. */
  readonly fleetRawDays: number;
  /** What is kept of them by 20 minutes: counts, sums, extremes with their times. At least as long. */
  readonly fleetCellDays: number;
}

/** One message of the live stream: where a run stands now. Data is fetched, never pushed. */
/** Stands for no run in a move: serial ids begin at 1. */
export const NO_RUN = 0;

export interface LiveMove {
  readonly runId: number;
  readonly lastStep: number | null;
  readonly samples: number;
  readonly atMs: number;
  readonly incidentsChanged: boolean;
  /** Results of evaluations have come, or are now those of another checkpoint; left out: none. */
  readonly evaluationsChanged?: true;
}
