import { ruleSchema, type StoredRule } from "@trainwatch/core";
import { z } from "zod";
import { required } from "../not-found.ts";
import { idInput } from "../page-input.ts";
import { operateVerb } from "../procedures.ts";
import { recorded } from "../recorded.ts";
import { checkRule } from "./check-rule.ts";

const updateInput = z.object({ ruleId: idInput, rule: ruleSchema });

/** Puts another rule in its place, whole. */
export const updateRule = operateVerb.input(updateInput).mutation(({ ctx, input: { ruleId, rule } }): Promise<StoredRule> =>
  recorded(ctx, "rules.update", async (records) => {
    await records.rules.lock();
    const before = required(await records.rules.get(ruleId), "rule", ruleId);
    await checkRule(records, rule, ruleId);
    const after = required(await records.rules.update(ruleId, rule, ctx.now()), "rule", ruleId);
    return { answer: after, target: `rule:${ruleId}`, details: { before: before.rule, after: rule } };
  }),
);
