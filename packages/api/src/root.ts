import { adviceRouter } from "./advice/router.ts";
import { auditRouter } from "./audit/router.ts";
import { channelsRouter } from "./channels/router.ts";
import { checkpointsRouter } from "./checkpoints/router.ts";
import { decisionsRouter } from "./decisions/router.ts";
import { detectorsRouter } from "./detectors/router.ts";
import { findingsRouter } from "./findings/router.ts";
import { incidentsRouter } from "./incidents/router.ts";
import { fleetRouter } from "./fleet/router.ts";
import { ingestRouter } from "./ingest/router.ts";
import { liveRouter } from "./live/router.ts";
import { mutesRouter } from "./mutes/router.ts";
import { noticesRouter } from "./notices/router.ts";
import { overviewRouter } from "./overview/router.ts";
import { createCallerFactory, router } from "./procedures.ts";
import { releasesRouter } from "./releases/router.ts";
import { postTrainingRouter } from "./post-training/router.ts";
import { replaysRouter } from "./replays/router.ts";
import { rulesRouter } from "./rules/router.ts";
import { runsRouter } from "./runs/router.ts";
import { scorecardsRouter } from "./scorecards/router.ts";
import { seriesRouter } from "./series/router.ts";
import { settingsRouter } from "./settings/router.ts";
import { statusRouter } from "./status/router.ts";
import { tokensRouter } from "./tokens/router.ts";

/** Every verb, by noun. */
export const appRouter = router({
  advice: adviceRouter,
  audit: auditRouter,
  channels: channelsRouter,
  checkpoints: checkpointsRouter,
  decisions: decisionsRouter,
  detectors: detectorsRouter,
  findings: findingsRouter,
  fleet: fleetRouter,
  incidents: incidentsRouter,
  ingest: ingestRouter,
  live: liveRouter,
  mutes: mutesRouter,
  notices: noticesRouter,
  overview: overviewRouter,
  releases: releasesRouter,
  postTraining: postTrainingRouter,
  replays: replaysRouter,
  rules: rulesRouter,
  runs: runsRouter,
  scorecards: scorecardsRouter,
  series: seriesRouter,
  settings: settingsRouter,
  status: statusRouter,
  tokens: tokensRouter,
});

export type AppRouter = typeof appRouter;

/** Calls verbs without HTTP: what receivers, commands and tests do. */
export const createCaller = createCallerFactory(appRouter);
