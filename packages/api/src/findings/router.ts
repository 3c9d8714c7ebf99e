import { router } from "../procedures.ts";
import { listFindings } from "./list.ts";

export const findingsRouter = router({ list: listFindings });
