import type { StatusCounts } from "@trainwatch/store";
import { describe, expect, it } from "vitest";
import { judgeAccess, judgeClock, judgeCoverage, judgeData, judgeDatabaseVersion, judgeDisk, judgeMigrations } from "./judge.ts";
import { sayAge } from "./say-age.ts";

const NOW = Date.UTC(2026, 0, 1);
const status = (given: Partial<StatusCounts> = {}): StatusCounts => ({
  newestRunSampleAtMs: NOW - 5_000,
  samplesPerSecond: 10,
  lastHour: { accepted: 100, repeated: 1, refused: 2 },
  runsReporting: 2,
  runsActive: 2,
  openIncidents: { critical: 0, warning: 0, info: 0 },
  blind: [],
  detectLagMs: 0,
  ...given,
});
const BLIND = { runId: 1, run: "p/r", detector: "grad-norm-shift", why: "no gradient norm is logged" };

describe("what the doctor says", () => {
  it.each([
    ["PostgreSQL 18", judgeDatabaseVersion("18.0 (Debian)"), "ok", /18\.0/],
    ["PostgreSQL 12", judgeDatabaseVersion("12.3"), "fault", /older than 14/],
    ["a clock that agrees", judgeClock(12), "ok", /within 12 ms/],
    ["a clock two seconds ahead", judgeClock(2_000), "warning", /2000 ms ahead of/],
    ["a clock a minute behind", judgeClock(-60_000), "fault", /60000 ms behind/],
    ["room on the disk", judgeDisk("/d", 9e9), "ok", /9\.0 GB free at \/d/],
    ["little room", judgeDisk("/d", 2e9), "warning", /2\.0 GB/],
    ["no room", judgeDisk("/d", 1e8), "fault", /0\.1 GB/],
    ["a schema of this version", judgeMigrations({ pending: [], isNew: false }), "ok", /this version's/],
    ["an older schema", judgeMigrations({ pending: ["20300101_more"], isNew: false }), "warning", /20300101_more/],
    ["a new database", judgeMigrations({ pending: ["a", "b"], isNew: true }), "warning", /new and has no tables/],
    ["tokens", judgeAccess(2, false), "ok", /2 live tokens/],
    ["one token", judgeAccess(1, false), "ok", /^1 live token$/],
    [
      "data that came long ago",
      judgeData(status({ newestRunSampleAtMs: NOW - 93_784_000 }), NOW),
      "ok",
      /newest sample of a run 1 d 2 h old;/,
    ],
    ["no token on this machine only", judgeAccess(0, true), "ok", /first start/],
    ["no token towards other machines", judgeAccess(0, false), "fault", /no token/],
    [
      "data that comes in",
      judgeData(status(), NOW),
      "ok",
      /newest sample of a run 5 s old; 100 samples taken in the last hour, 1 repeated, 2 refused/,
    ],
    ["no data yet", judgeData(status({ newestRunSampleAtMs: null }), NOW), "warning", /no sample of a run has come yet/],
    ["detectors that lag", judgeData(status({ detectLagMs: 90_000 }), NOW), "warning", /waiting 90 s/],
    ["a run that is silent", judgeData(status({ runsReporting: 1 }), NOW), "warning", /1 of 2 active runs do not report/],
    ["detectors that see", judgeCoverage(status()), "ok", /all detectors see on 2 active runs/],
    [
      "one that is blind",
      judgeCoverage(status({ blind: [BLIND] })),
      "warning",
      /grad-norm-shift cannot see on p\/r: no gradient norm is logged$/,
    ],
    ["two that are blind", judgeCoverage(status({ blind: [BLIND, BLIND] })), "warning", /and 1 more$/],
  ])("of %s", (_what, diagnosis, expected, message) => {
    expect(diagnosis.status).toBe(expected);
    expect(diagnosis.message).toMatch(message);
    // Whatever is amiss comes with what to do about it.
    expect(diagnosis.fix === null).toBe(expected === "ok");
  });
});

describe("sayAge", () => {
  it.each([
    [-5_000, "0 s"],
    [400, "0 s"],
    [119_000, "119 s"],
    [120_000, "2 min"],
    [185_000, "3 min 5 s"],
    [3_599_000, "59 min 59 s"],
    [3_600_000, "1 h"],
    [18_660_000, "5 h 11 min"],
    [86_400_000 * 12 + 4 * 3_600_000 + 59_000, "12 d 4 h"],
    [86_400_000 + 59_000, "1 d"],
  ])("says %d ms as %s", (ms, said) => {
    expect(sayAge(ms)).toBe(said);
  });
});
