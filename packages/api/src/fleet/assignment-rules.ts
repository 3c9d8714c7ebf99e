import { assignmentRulesSchema, type AssignmentRule } from "@trainwatch/core";
import { z } from "zod";
import { adminVerb, readVerb } from "../procedures.ts";
import { recorded } from "../recorded.ts";

export const getAssignmentRules = readVerb.query(({ ctx }): Promise<readonly AssignmentRule[]> =>
  ctx.store.records.fleet.assignmentRules(),
);

const rulesInput = z.object({ rules: assignmentRulesSchema });

/** Replaces the rules by which labels of GPUs tell ranks; the first that matches counts. */
export const setAssignmentRules = adminVerb.input(rulesInput).mutation(({ ctx, input: { rules } }) =>
  recorded(ctx, "fleet.setAssignmentRules", async ({ fleet }) => {
    const before = await fleet.assignmentRules();
    await fleet.setAssignmentRules(rules, ctx.now());
    return { answer: { rules }, target: "settings", details: { before, after: rules } };
  }),
);
