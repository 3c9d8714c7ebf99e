import { router } from "../procedures.ts";
import { getOverview } from "./get.ts";

export const overviewRouter = router({ get: getOverview });
