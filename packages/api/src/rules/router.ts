import { router } from "../procedures.ts";
import { createRule } from "./create.ts";
import { deleteRule } from "./delete.ts";
import { listRules } from "./list.ts";
import { updateRule } from "./update.ts";

export const rulesRouter = router({ list: listRules, create: createRule, update: updateRule, delete: deleteRule });
