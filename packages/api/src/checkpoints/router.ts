import { router } from "../procedures.ts";
import { listCheckpoints } from "./list.ts";

export const checkpointsRouter = router({ list: listCheckpoints });
