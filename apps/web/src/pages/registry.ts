import type { AnyRoute } from "@tanstack/react-router";
import { checkpointRoute } from "./checkpoint/route.ts";
import { checkpointsRoute } from "./checkpoints/route.ts";
import { detectorsRoute } from "./detectors/route.ts";
import { fleetCoverageRoute } from "./fleet-coverage/route.ts";
import { fleetFieldsRoute } from "./fleet-fields/route.ts";
import { fleetGpuRoute } from "./fleet-gpu/route.ts";
import { fleetNodeRoute } from "./fleet-node/route.ts";
import { fleetRoute } from "./fleet/route.ts";
import { incidentRoute } from "./incident/route.ts";
import { incidentsRoute } from "./incidents/route.ts";
import { overviewRoute } from "./overview/route.ts";
import { releaseRoute } from "./release/route.ts";
import { releasesRoute } from "./releases/route.ts";
import { trendsRoute } from "./releases/trends-route.ts";
import { runRoute } from "./run/route.ts";
import { runsRoute } from "./runs/route.ts";
import { settingsRoute } from "./settings/route.ts";

/** A page as the router, the navigation, the palette and the keys know it. */
export interface PageEntry {
  readonly id: string;
  readonly route: AnyRoute;
  /** Its word in the navigation; null for a page that is reached from another one. */
  readonly word: string | null;
  /** Shorter, for a phone. */
  readonly footWord: string | null;
  /** Keys that go there from anywhere. */
  readonly keys: string | null;
}

/** Every page that exists, in the order of the navigation. */
export const PAGES = [
  { id: "overview", route: overviewRoute, word: "Overview", footWord: "Now", keys: "g o" },
  { id: "runs", route: runsRoute, word: "Runs", footWord: "Runs", keys: "g r" },
  { id: "run", route: runRoute, word: null, footWord: null, keys: null },
  { id: "fleet", route: fleetRoute, word: "Fleet", footWord: "Fleet", keys: "g f" },
  { id: "fleet-gpu", route: fleetGpuRoute, word: null, footWord: null, keys: null },
  { id: "fleet-node", route: fleetNodeRoute, word: null, footWord: null, keys: null },
  { id: "fleet-coverage", route: fleetCoverageRoute, word: null, footWord: null, keys: null },
  { id: "fleet-fields", route: fleetFieldsRoute, word: null, footWord: null, keys: null },
  { id: "incidents", route: incidentsRoute, word: "Incidents", footWord: "Incidents", keys: "g i" },
  { id: "incident", route: incidentRoute, word: null, footWord: null, keys: null },
  { id: "checkpoints", route: checkpointsRoute, word: "Checkpoints", footWord: null, keys: "g c" },
  { id: "checkpoint", route: checkpointRoute, word: null, footWord: null, keys: null },
  { id: "releases", route: releasesRoute, word: "Releases", footWord: null, keys: "g l" },
  { id: "trends", route: trendsRoute, word: null, footWord: null, keys: null },
  { id: "release", route: releaseRoute, word: null, footWord: null, keys: null },
  { id: "detectors", route: detectorsRoute, word: "Detectors", footWord: null, keys: "g d" },
  { id: "settings", route: settingsRoute, word: "Settings", footWord: "Settings", keys: "g s" },
] as const satisfies readonly PageEntry[];
