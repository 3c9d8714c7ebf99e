import { router } from "../procedures.ts";
import { decide } from "./decide.ts";

export const decisionsRouter = router({ decide });
