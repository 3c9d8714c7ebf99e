import { AppError, ruleSchema, type StoredRule } from "@trainwatch/core";
import { operateVerb } from "../procedures.ts";
import { recorded } from "../recorded.ts";
import { checkRule } from "./check-rule.ts";

/** Changes a detector for a scope, or sets a threshold on a metric. It holds for what is judged from now on. */
export const createRule = operateVerb.input(ruleSchema).mutation(({ ctx, input }): Promise<StoredRule> =>
  recorded(ctx, "rules.create", async (records) => {
    if (input.untilMs !== null && input.untilMs <= ctx.now())
      throw new AppError("bad-request", "The rule would have run out already: `untilMs` lies in the past.");
    await records.rules.lock();
    await checkRule(records, input, null);
    const made = await records.rules.create(input, ctx.actor.name, ctx.now());
    return { answer: made, target: `rule:${made.id}`, details: { rule: input } };
  }),
);
