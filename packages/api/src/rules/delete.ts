import { z } from "zod";
import { required } from "../not-found.ts";
import { idInput } from "../page-input.ts";
import { operateVerb } from "../procedures.ts";
import { recorded } from "../recorded.ts";

/** The wider rule or the detector's own default holds again. */
export const deleteRule = operateVerb.input(z.object({ ruleId: idInput })).mutation(({ ctx, input: { ruleId } }) =>
  recorded(ctx, "rules.delete", async (records) => {
    await records.rules.lock();
    const { rule } = required(await records.rules.get(ruleId), "rule", ruleId);
    await records.rules.delete(ruleId);
    return { answer: { ruleId }, target: `rule:${ruleId}`, details: { rule } };
  }),
);
