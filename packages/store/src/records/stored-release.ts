import { releaseSpecSchema, type Gate, type ReleaseSpec } from "@trainwatch/core";
import type { Release as ReleaseRow } from "../generated/client.ts";

/** A release with what stands in its own row and how many gates and signatures it has. */
export interface StoredRelease {
  readonly releaseId: number;
  readonly spec: ReleaseSpec;
  readonly createdBy: string;
  readonly createdAtMs: number;
  /** The baseline first. What a scorecard was called when it was chosen; the scorecard may be gone with its run. */
  readonly columns: readonly { readonly scorecardId: number; readonly model: string }[];
  readonly gatesFixedAtMs: number | null;
  readonly resultsBeforeGates: number | null;
  readonly gates: number;
  /** Changes with spec, gates and overrides. */
  readonly version: number;
  /** Roles that have signed. */
  readonly signedRoles: readonly string[];
  readonly frozen: { readonly hash: string; readonly atMs: number; readonly rows: number; readonly scorecardId: number } | null;
}

export interface StoredReleaseGate {
  readonly gateId: number;
  readonly gate: Gate;
}

/** Of a gate, or of a row's comparison: the other one is null. */
export interface StoredReleaseOverride {
  readonly gateId: number | null;
  readonly rowKey: string | null;
  readonly scorecardId: number;
  readonly reason: string;
  readonly actor: string;
  readonly atMs: number;
}

export interface ReleaseParts {
  readonly columns: readonly { readonly scorecardId: number; readonly model: string }[];
  readonly gates: number;
  readonly roles: readonly string[];
}

export function storedRelease(row: Omit<ReleaseRow, "frozenBody">, { columns, gates, roles }: ReleaseParts): StoredRelease {
  const { id, createdBy, createdAtMs, gatesFixedAtMs, resultsBeforeGates, version } = row;
  const { frozenHash, frozenAtMs, frozenRows, chosenScorecardId } = row;
  return {
    releaseId: id,
    spec: releaseSpecSchema.parse(row.spec),
    createdBy,
    createdAtMs,
    columns: columns.map(({ scorecardId, model }) => ({ scorecardId, model })),
    gatesFixedAtMs,
    resultsBeforeGates,
    gates,
    version,
    signedRoles: roles,
    frozen:
      frozenHash === null || frozenAtMs === null || chosenScorecardId === null
        ? null
        : { hash: frozenHash, atMs: frozenAtMs, rows: frozenRows ?? 0, scorecardId: chosenScorecardId },
  };
}
