import { router } from "../procedures.ts";
import { createMute } from "./create.ts";
import { deleteMute } from "./delete.ts";
import { listMutes } from "./list.ts";
import { updateMute } from "./update.ts";

export const mutesRouter = router({ list: listMutes, create: createMute, update: updateMute, delete: deleteMute });
