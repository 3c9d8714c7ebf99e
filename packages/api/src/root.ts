import { adviceRouter } from "./advice/router.ts";
import { auditRouter } from "./audit/router.ts";
import { checkpointsRouter } from "./checkpoints/router.ts";
import { decisionsRouter } from "./decisions/router.ts";
import { findingsRouter } from "./findings/router.ts";
import { incidentsRouter } from "./incidents/router.ts";
import { fleetRouter } from "./fleet/router.ts";
import { ingestRouter } from "./ingest/router.ts";
import { liveRouter } from "./live/router.ts";
import { overviewRouter } from "./overview/router.ts";
import { createCallerFactory, router } from "./procedures.ts";
import { runsRouter } from "./runs/router.ts";
import { seriesRouter } from "./series/router.ts";
import { settingsRouter } from "./settings/router.ts";
import { statusRouter } from "./status/router.ts";
import { tokensRouter } from "./tokens/router.ts";

/** Every verb, by noun. */
export const appRouter = router({
  advice: adviceRouter,
  audit: auditRouter,
  checkpoints: checkpointsRouter,
  decisions: decisionsRouter,
  findings: findingsRouter,
  fleet: fleetRouter,
  incidents: incidentsRouter,
  ingest: ingestRouter,
  live: liveRouter,
  overview: overviewRouter,
  runs: runsRouter,
  series: seriesRouter,
  settings: settingsRouter,
  status: statusRouter,
  tokens: tokensRouter,
});

export type AppRouter = typeof appRouter;

/** Calls verbs without HTTP: what receivers, commands and tests do. */
export const createCaller = createCallerFactory(appRouter);
