import { sayInteger } from "@trainwatch/core";
import type { MigrationState, StatusCounts } from "@trainwatch/store";
import { fault, fine, warning, type Diagnosis } from "./diagnosis.ts";
import { sayAge } from "./say-age.ts";

const MIN_DATABASE_MAJOR = 14;
/** Ages on pages and the order of events are off by as much; a cluster with NTP is within milliseconds. */
const SKEW_WARNING_MS = 1_000;
const SKEW_FAULT_MS = 30_000;
const FREE_WARNING_BYTES = 5e9;
const FREE_FAULT_BYTES = 5e8;
const LAG_WARNING_MS = 60_000;

export function judgeDatabaseVersion(version: string): Diagnosis {
  const major = Number.parseInt(version, 10);
  if (major >= MIN_DATABASE_MAJOR) return fine("database", `PostgreSQL ${version} answers`);
  return fault(
    "database",
    `PostgreSQL ${version} is older than ${MIN_DATABASE_MAJOR}`,
    "Upgrade the database, or leave DATABASE_URL out to use the embedded one.",
  );
}

export function judgeMigrations({ pending, isNew }: MigrationState): Diagnosis {
  if (pending.length === 0) return fine("migrations", "the schema is this version's");
  const fix = "Start the server: it brings the database to its version.";
  if (isNew) return warning("migrations", "the database is new and has no tables yet", fix);
  return warning("migrations", `${pending.length} of this version's migrations are not applied: ${pending.join(", ")}`, fix);
}

/** @param skewMs our clock less the database's, taken in the middle of the question */
export function judgeClock(skewMs: number): Diagnosis {
  const size = Math.abs(skewMs);
  const message = `this machine is ${Math.round(size)} ms ${skewMs > 0 ? "ahead of" : "behind"} the database`;
  if (size < SKEW_WARNING_MS) return fine("clock", `this machine and the database agree within ${Math.ceil(size)} ms`);
  const fix = "Let both machines follow the same NTP source.";
  return size < SKEW_FAULT_MS ? warning("clock", message, fix) : fault("clock", message, fix);
}

export function judgeDisk(path: string, freeBytes: number): Diagnosis {
  const message = `${(freeBytes / 1e9).toFixed(1)} GB free at ${path}`;
  const fix = "Make room, name another place with --data-dir, or set a retention (Settings, or settings.set retentionDays).";
  if (freeBytes < FREE_FAULT_BYTES) return fault("disk", message, fix);
  return freeBytes < FREE_WARNING_BYTES ? warning("disk", message, fix) : fine("disk", message);
}

export function judgeData(status: StatusCounts, nowMs: number): Diagnosis {
  const { newestRunSampleAtMs, runsActive, runsReporting, detectLagMs, lastHour } = status;
  const { accepted, repeated, refused } = lastHour;
  const read = `${sayInteger(accepted)} samples taken in the last hour, ${sayInteger(repeated)} repeated, ${sayInteger(refused)} refused`;
  if (detectLagMs !== null && detectLagMs > LAG_WARNING_MS) {
    return warning(
      "data",
      `the oldest push has been waiting ${sayAge(detectLagMs)} for the detectors; ${read}`,
      "Start a process with the role detect (`trainwatch serve --roles detect`), or look into its log.",
    );
  }
  if (newestRunSampleAtMs === null)
    return warning(
      "data",
      "no sample of a run has come yet",
      "Send one: `trainwatch import PATH` reads a log, docs/api.md shows a push with curl.",
    );
  if (runsReporting < runsActive) {
    return warning(
      "data",
      `${runsActive - runsReporting} of ${runsActive} active runs do not report; ${read}`,
      "The run list (state silent or stalled) names them; look whether trainer and agent still run.",
    );
  }
  return fine("data", `newest sample of a run ${sayAge(nowMs - newestRunSampleAtMs)} old; ${read}`);
}

export function judgeCoverage({ blind, runsActive }: StatusCounts): Diagnosis {
  const [first] = blind;
  if (first === undefined)
    return fine("coverage", runsActive === 0 ? "no active run to watch" : `all detectors see on ${runsActive} active runs`);
  const others = blind.length === 1 ? "" : ` and ${blind.length - 1} more`;
  return warning(
    "coverage",
    `${first.detector} cannot see on ${first.run}: ${first.why}${others}`,
    "Log what it lacks; until then its silence about this run means nothing.",
  );
}

export function judgeAccess(liveTokens: number, isLoopbackOnly: boolean): Diagnosis {
  if (liveTokens > 0) return fine("access", liveTokens === 1 ? "1 live token" : `${liveTokens} live tokens`);
  if (isLoopbackOnly) return fine("access", "no token yet; the first start on this machine makes one");
  return fault(
    "access",
    "the host can be reached from other machines and there is no token",
    "Set TRAINWATCH_ADMIN_TOKEN, or make one: `trainwatch token create admin --scope admin`.",
  );
}
