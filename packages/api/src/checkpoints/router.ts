import { router } from "../procedures.ts";
import { listCheckpoints } from "./list.ts";
import { checkpointPassport } from "./passport.ts";
import { checkpointRegistry } from "./registry.ts";

export const checkpointsRouter = router({ list: listCheckpoints, registry: checkpointRegistry, passport: checkpointPassport });
