import { router } from "../procedures.ts";
import { listAudit } from "./list.ts";

export const auditRouter = router({ list: listAudit });
