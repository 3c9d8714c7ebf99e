import { router } from "../procedures.ts";
import { acknowledgeIncident } from "./acknowledge.ts";
import { getIncident } from "./get.ts";
import { listIncidents } from "./list.ts";
import { reopenIncident } from "./reopen.ts";
import { resolveIncident } from "./resolve.ts";

export const incidentsRouter = router({
  list: listIncidents,
  get: getIncident,
  acknowledge: acknowledgeIncident,
  resolve: resolveIncident,
  reopen: reopenIncident,
});
