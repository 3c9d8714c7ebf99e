import { router } from "../procedures.ts";
import { archiveRun } from "./archive.ts";
import { convertRunRange } from "./convert-range.ts";
import { deleteRun } from "./delete.ts";
import { getRun } from "./get.ts";
import { listRuns } from "./list.ts";
import { listRunMetrics } from "./metrics.ts";
import { setRunMetadata } from "./set-metadata.ts";
import { unarchiveRun } from "./unarchive.ts";

export const runsRouter = router({
  list: listRuns,
  get: getRun,
  metrics: listRunMetrics,
  archive: archiveRun,
  unarchive: unarchiveRun,
  delete: deleteRun,
  setMetadata: setRunMetadata,
  convertRange: convertRunRange,
});
