import { router } from "../procedures.ts";
import { backtestRule } from "./backtest.ts";
import { createRule } from "./create.ts";
import { deleteRule } from "./delete.ts";
import { listRules } from "./list.ts";
import { updateRule } from "./update.ts";

export const rulesRouter = router({ list: listRules, create: createRule, update: updateRule, delete: deleteRule, backtest: backtestRule });
