import { Prisma } from "../generated/client.ts";
import type { Db } from "./db.ts";
import { jsonText } from "./json.ts";

/** Where the detectors have read a run to: all pushes up to `arrival`, and `offset` points of the one after it. */
export interface RunCursor {
  readonly arrival: number;
  readonly offset: number;
  /** `Run.relabels` as the reader has seen it: under another number points have moved to other attempts and all is read anew. */
  readonly relabels: number;
  /** Metrics in which `offset` and `ahead` count; null: those of the version that wrote it. */
  readonly metrics: readonly string[] | null;
  /** Where the stored states stand: `ahead` samples before the cursor. What the detectors said of these has been told already. */
  readonly state: StatePosition;
}

export interface StatePosition {
  readonly arrival: number;
  readonly offset: number;
  readonly ahead: number;
}

export interface CoverageEntry {
  readonly detector: string;
  readonly sees: boolean;
  readonly why: string | null;
}

/** What the detectors know of one attempt; stored with the cursor, so that a restart goes on exactly. */
export interface AttemptState {
  readonly attempt: string;
  /** JSON-safe; its maker knows what is in it. */
  readonly state: unknown;
  readonly coverage: readonly CoverageEntry[];
  /** The attempt has ended and its detectors have been told. */
  readonly finished: boolean;
}

export interface PendingRun {
  readonly runId: number;
  /** `project/name`. */
  readonly fullName: string;
  readonly arrivals: number;
  readonly relabels: number;
  /** The source has said that the run is over. */
  readonly ended: boolean;
}

export interface CursorRecords {
  /** Runs with pushes that are not read, or an end that the detectors have not been told; longest unread first. */
  pending(limit: number): Promise<readonly PendingRun[]>;
  /** `Run.relabels` now; null where the run is gone. */
  relabels(runId: number): Promise<number | null>;
  get(runId: number): Promise<RunCursor | null>;
  put(runId: number, cursor: RunCursor, nowMs: number): Promise<void>;
  states(runId: number): Promise<readonly AttemptState[]>;
  putState(runId: number, state: AttemptState): Promise<void>;
  /** Forgets cursor and states of a run: it will be read from its first sample again. */
  reset(runId: number): Promise<void>;
}

export function createCursorRecords(db: Db): CursorRecords {
  return {
    async pending(limit) {
      return db.$queryRaw<PendingRun[]>(Prisma.sql`
        SELECT r.id AS "runId", r.project || '/' || r.name AS "fullName", r.arrivals, r.relabels, r.ended_at_ms IS NOT NULL AS ended
        FROM run r LEFT JOIN detect_cursor c ON c.run_id = r.id
        WHERE r.arrivals > 0 AND (
          c.run_id IS NULL OR c.arrival < r.arrivals OR c.relabels <> r.relabels
          OR (r.ended_at_ms IS NOT NULL AND EXISTS (SELECT 1 FROM detect_state s WHERE s.run_id = r.id AND NOT s.finished)))
        ORDER BY coalesce(c.updated_at_ms, 0), r.id LIMIT ${limit}`);
    },
    async relabels(runId) {
      return (await db.run.findUnique({ where: { id: runId }, select: { relabels: true } }))?.relabels ?? null;
    },
    async get(runId) {
      const row = await db.detectCursor.findUnique({ where: { runId } });
      if (row === null) return null;
      const { arrival, offset, relabels, stateArrival, stateOffset, ahead, metrics } = row;
      const state = { arrival: stateArrival ?? arrival, offset: stateOffset ?? offset, ahead };
      return { arrival, offset, relabels, metrics: namesOf(metrics), state };
    },
    async put(runId, { arrival, offset, relabels, metrics, state }, nowMs) {
      const columns = {
        arrival,
        offset,
        relabels,
        stateArrival: state.arrival,
        stateOffset: state.offset,
        ahead: state.ahead,
        ...(metrics === null ? {} : { metrics: [...metrics] }),
        updatedAtMs: nowMs,
      };
      await db.detectCursor.upsert({ where: { runId }, create: { runId, ...columns }, update: columns });
    },
    async states(runId) {
      const rows = await db.detectState.findMany({ where: { runId } });
      return rows.map(({ attempt, state, coverage, finished }) => ({ attempt, state, coverage: coverageOf(coverage), finished }));
    },
    async putState(runId, { attempt, state, coverage, finished }) {
      // A statement of our own: Prisma walked through the state twice, value by value, which took longer than judging the samples.
      await db.$executeRaw`
        INSERT INTO detect_state (run_id, attempt, state, coverage, finished)
        VALUES (${runId}, ${attempt}, ${jsonText(state)}::jsonb, ${jsonText(coverage)}::jsonb, ${finished})
        ON CONFLICT (run_id, attempt) DO UPDATE SET state = excluded.state, coverage = excluded.coverage, finished = excluded.finished`;
    },
    async reset(runId) {
      await db.detectState.deleteMany({ where: { runId } });
      await db.detectCursor.deleteMany({ where: { runId } });
    },
  };
}

function namesOf(json: unknown): readonly string[] | null {
  return Array.isArray(json) ? json.filter((name) => typeof name === "string") : null;
}

export function coverageOf(json: unknown): readonly CoverageEntry[] {
  return Array.isArray(json) ? json.filter(isCoverage) : [];
}

function isCoverage(entry: unknown): entry is CoverageEntry {
  return typeof entry === "object" && entry !== null && "detector" in entry && "sees" in entry;
}
