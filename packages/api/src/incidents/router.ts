import { router } from "../procedures.ts";
import { acknowledgeIncident } from "./acknowledge.ts";
import { assignIncident, unassignIncident } from "./assign.ts";
import { commentIncident } from "./comment.ts";
import { exportIncident } from "./export/export.ts";
import { getIncident } from "./get.ts";
import { labelIncident } from "./label.ts";
import { listIncidents } from "./list.ts";
import { reopenIncident } from "./reopen.ts";
import { resolveIncident } from "./resolve.ts";
import { snoozeIncident } from "./snooze.ts";

export const incidentsRouter = router({
  list: listIncidents,
  get: getIncident,
  export: exportIncident,
  acknowledge: acknowledgeIncident,
  resolve: resolveIncident,
  reopen: reopenIncident,
  assign: assignIncident,
  unassign: unassignIncident,
  snooze: snoozeIncident,
  comment: commentIncident,
  label: labelIncident,
});
