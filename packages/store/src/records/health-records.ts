import { coverageOf, type CoverageEntry } from "./cursor-records.ts";
import type { Db } from "./db.ts";

/** What the detectors of runs have before them. */
export interface RunBacklog {
  /** Pushes that no detector has read. */
  readonly pushes: number;
  /** When the oldest run of these was last heard of, epoch ms; null where none waits. */
  readonly oldestAtMs: number | null;
  /** Newest sample of a run that has been read to its end. */
  readonly lastSampleAtMs: number | null;
  /** Whether a run was ever read. */
  readonly hasRead: boolean;
}

export interface RunCoverage {
  readonly run: string;
  readonly coverage: readonly CoverageEntry[];
}

/** How the detectors themselves are. */
export interface HealthRecords {
  runBacklog(): Promise<RunBacklog>;
  /** What detectors see of the newest attempts of runs that have not ended, at most `limit` runs, newest first. */
  runCoverage(limit: number): Promise<readonly RunCoverage[]>;
  /** Whether a lease is held now, by the database's clock. */
  isLeased(name: string): Promise<boolean>;
}

export function createHealthRecords(db: Db): HealthRecords {
  return {
    async runBacklog() {
      const [row] = await db.$queryRaw<RunBacklog[]>`
        SELECT coalesce(sum(greatest(0, r.arrivals - coalesce(c.arrival, 0))), 0)::float8 AS pushes,
          min(r.last_received_at_ms) FILTER (WHERE c.run_id IS NULL OR c.arrival < r.arrivals) AS "oldestAtMs",
          max(r.last_sample_at_ms) FILTER (WHERE c.arrival >= r.arrivals) AS "lastSampleAtMs", count(c.run_id) > 0 AS "hasRead"
        FROM run r LEFT JOIN detect_cursor c ON c.run_id = r.id WHERE r.arrivals > 0`;
      return row ?? { pushes: 0, oldestAtMs: null, lastSampleAtMs: null, hasRead: false };
    },
    async runCoverage(limit) {
      const rows = await db.$queryRaw<{ run: string; coverage: unknown }[]>`
        SELECT r.project || '/' || r.name AS run, s.coverage FROM run r JOIN detect_state s ON s.run_id = r.id AND s.attempt = r.attempt
        WHERE r.archived_at_ms IS NULL AND r.state IN ('running', 'silent', 'stalled') ORDER BY r.id DESC LIMIT ${limit}`;
      return rows.map(({ run, coverage }) => ({ run, coverage: coverageOf(coverage) }));
    },
    async isLeased(name) {
      const rows = await db.$queryRaw<unknown[]>`
        SELECT 1 FROM lease WHERE name = ${name} AND expires_at_ms >= extract(epoch FROM clock_timestamp()) * 1000`;
      return rows.length === 1;
    },
  };
}
