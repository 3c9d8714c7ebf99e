import { router } from "../procedures.ts";
import { getAssignmentRules, setAssignmentRules } from "./assignment-rules.ts";
import { getCatalogue } from "./catalogue.ts";
import { cordonNode, uncordonNode } from "./cordon.ts";
import { getCoverage } from "./coverage.ts";
import { getDiffers } from "./differs.ts";
import { listEvents } from "./events.ts";
import { getFrame } from "./frame.ts";
import { getFrames } from "./frames.ts";
import { getGpu } from "./gpu.ts";
import { listFleetIncidents } from "./incidents.ts";
import { getLayout } from "./layout.ts";
import { getLinks } from "./links.ts";
import { listMetrics } from "./metrics.ts";
import { getTimeline } from "./timeline.ts";
import { getWindow } from "./window.ts";

export const fleetRouter = router({
  assignmentRules: getAssignmentRules,
  catalogue: getCatalogue,
  cordon: cordonNode,
  coverage: getCoverage,
  differs: getDiffers,
  events: listEvents,
  frame: getFrame,
  frames: getFrames,
  gpu: getGpu,
  incidents: listFleetIncidents,
  layout: getLayout,
  links: getLinks,
  metrics: listMetrics,
  setAssignmentRules,
  timeline: getTimeline,
  uncordon: uncordonNode,
  window: getWindow,
});
