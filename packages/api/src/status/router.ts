import { router } from "../procedures.ts";
import { getStatus } from "./get.ts";

export const statusRouter = router({ get: getStatus });
