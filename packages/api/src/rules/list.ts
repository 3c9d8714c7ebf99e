import type { StoredRule } from "@trainwatch/core";
import { readVerb } from "../procedures.ts";

/** All rules, oldest first; there are never more than 500. */
export const listRules = readVerb.query(({ ctx }): Promise<readonly StoredRule[]> => ctx.store.records.rules.list());
