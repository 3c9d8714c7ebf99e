// `npm run bench -- burst`: 170,000 XID 45 after one XID 79, line by line from 400 nodes, and the pages that people then open (F1).
// Once with the cause first, and once on a fresh server with the cause's line arriving last. TRAINWATCH_BENCH_NODES makes the fleet larger.
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { rolesOf, type IncidentDetail, type IncidentPage } from "@trainwatch/core";
import { launchBrowser } from "@trainwatch/testkit/browser";
import { builtPages } from "../browser/built-pages.ts";
import { openBurstFleet, type BurstFleet } from "./burst/burst-fleet.ts";
import { FOLLOWERS, followerReads, INITIATOR, initiatorRead } from "./burst/burst-lines.ts";
import { pagesOf, visitPage, type PageFigures } from "./burst/burst-pages.ts";
import { GPUS } from "./fleet/node-values.ts";
import { answerIn, type BenchServer, openBenchServer } from "./speed/bench-server.ts";
import { loadNow, rounded } from "./speed/figures.ts";

const NODES = Number(process.env["TRAINWATCH_BENCH_NODES"] ?? 400);
const VISITS = 5;
const GOAL_PAGE_MS = 2_000;
const POLL_MS = 100;
/** Followers wait a minute for their cause before they are told. */
const GIVE_UP_MS = 240_000;

interface Told {
  /** XID lines that the store has counted, of all bursts. */
  readonly linesStored: number;
  readonly incidents: number;
  readonly members: number;
  readonly isInitiatorRight: boolean;
  /** XIDs 45 that the incident's findings count. */
  readonly followersTold: number;
  /** From sending the last line to an incident with the right beginning. */
  readonly incidentAfterMs: number;
  /** From sending the last line to the incident that counts every line. */
  readonly settledAfterMs: number;
  readonly sendMs: number;
  readonly serverPeakMb: number;
}

async function run(): Promise<Record<string, unknown> & { ok: boolean }> {
  await using pages = await builtPages();
  const causeFirst = await burst("first", pages.webRoot);
  const causeLast = await burst("last", null);
  const shown = Object.values(causeFirst.pages);
  return {
    ok: [causeFirst, causeLast].every(isRight) && shown.length > 0 && shown.every(({ worstMs }) => worstMs < GOAL_PAGE_MS),
    nodes: NODES,
    gpus: NODES * GPUS,
    lines: FOLLOWERS + 1,
    goalPageMs: GOAL_PAGE_MS,
    causeFirst,
    causeLast,
    load: loadNow(),
  };
}

function isRight({ linesStored, incidents, isInitiatorRight, followersTold }: Told): boolean {
  return linesStored === FOLLOWERS + 1 && incidents === 1 && isInitiatorRight && followersTold === FOLLOWERS;
}

async function burst(
  cause: "first" | "last",
  webRoot: string | null,
): Promise<Told & { readonly pages: Readonly<Record<string, PageFigures>> }> {
  await using server = await openBenchServer(webRoot === null ? {} : { webRoot });
  await using fleet = await openBurstFleet(server, NODES);
  const atMs = Date.now() - 35_000;
  const beginning = initiatorRead(atMs);
  const flood = followerReads(NODES, atMs);
  const sendingMs = performance.now();
  await fleet.send(cause === "first" ? [beginning, ...flood] : [...flood, beginning]);
  const sendMs = performance.now() - sendingMs;
  const told = await whatIsTold(server, fleet, performance.now());
  const pages: Record<string, PageFigures> = {};
  if (webRoot !== null && told.shown !== null) {
    const browser = await launchBrowser();
    try {
      for (const page of pagesOf(told.shown.id, fleet.uuidOf(INITIATOR.node, INITIATOR.gpu)))
        pages[page.name] = await visitPage(browser, server, page, VISITS);
    } finally {
      await browser.close();
    }
  }
  const { shown: _shown, ...figures } = told;
  return { ...figures, sendMs: rounded(sendMs), serverPeakMb: peakMb(server.pid), pages };
}

interface Watched extends Omit<Told, "sendMs" | "serverPeakMb"> {
  readonly shown: IncidentDetail | null;
}

/** Asks until the incidents count every line, or for as long as nothing more can be expected. */
async function whatIsTold(server: BenchServer, fleet: BurstFleet, lastLineMs: number): Promise<Watched> {
  const gpuId = fleet.uuidOf(INITIATOR.node, INITIATOR.gpu);
  let incidentAfterMs = Number.POSITIVE_INFINITY;
  for (;;) {
    const { items, total } = answerIn<IncidentPage>(await server.ask("incidents.list", { limit: 200 }));
    const all = await Promise.all(
      items.map(async ({ id }) => answerIn<IncidentDetail>(await server.ask("incidents.get", { incidentId: id }))),
    );
    const afterMs = performance.now() - lastLineMs;
    const shown = all.find((incident) => beginsWith(incident, gpuId)) ?? null;
    if (shown !== null) incidentAfterMs = Math.min(incidentAfterMs, afterMs);
    const followersTold = all.reduce((sum, incident) => sum + followersOf(incident), 0);
    const isSettled = followersTold >= FOLLOWERS && shown !== null;
    if (!isSettled && afterMs < GIVE_UP_MS) {
      await delay(POLL_MS);
      continue;
    }
    return {
      shown,
      linesStored: await linesStored(server),
      incidents: total,
      members: all.reduce((sum, { findingCount }) => sum + findingCount, 0),
      isInitiatorRight: shown !== null,
      followersTold,
      incidentAfterMs: rounded(incidentAfterMs),
      settledAfterMs: isSettled ? rounded(afterMs) : Number.POSITIVE_INFINITY,
    };
  }
}

/** The GPU that fell off the bus, and nothing else, began it. */
function beginsWith({ findings }: IncidentDetail, gpuId: string): boolean {
  const roles = rolesOf({ findings });
  const beginnings = findings.filter(({ id }) => roles.get(id) === "initiator");
  return beginnings.length > 0 && beginnings.every(({ subject }) => subject.id === gpuId);
}

function followersOf({ findings }: IncidentDetail): number {
  const followers = findings.filter(({ facts, detector, severity }) => detector === "xid" && severity === "info" && facts.length === 0);
  return followers.reduce((sum, { evidence }) => sum + Number(evidence[0]?.value ?? 0), 0);
}

async function linesStored({ pool }: BenchServer): Promise<number> {
  const { rows } = await pool.query<{ lines: number | null }>("SELECT sum(count)::float8 AS lines FROM fleet_event WHERE kind = 'xid'");
  return rows[0]?.lines ?? 0;
}

/** Of the server's process since it started. */
function peakMb(pid: number): number {
  const found = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return rounded(Number(found?.[1] ?? Number.NaN) / 1_000);
}

export default { name: "burst", run };
