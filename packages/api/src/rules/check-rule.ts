import { AppError, type MetricRule, type Rule, type RuleScope } from "@trainwatch/core";
import { checkParameters } from "@trainwatch/detect";
import type { Records } from "@trainwatch/store";
import { DETECTOR_ENTRIES } from "../detectors/entries.ts";
import { required } from "../not-found.ts";
import { isSameScope } from "./rules-in-force.ts";

/** Far more than anybody keeps in view; all of them are read with every run that is judged. */
export const MOST_RULES = 500;

/**
 * Refuses a rule that could not work: of a detector or a parameter that there is not, for a run that there is not, or beside one that says the same thing for the same scope.
 * `id` is the rule that is changed; null for a new one. Call it with the rules locked.
 * @throws AppError `bad-request`, `not-found`, `conflict`
 */
export async function checkRule(records: Records, rule: Rule, id: number | null): Promise<void> {
  await checkScope(records, rule.scope);
  const others = (await records.rules.list()).filter((other) => other.id !== id);
  if (id === null && others.length >= MOST_RULES)
    throw new AppError("bad-request", `There are ${MOST_RULES} rules already. Delete some first.`);
  if (rule.kind === "detector") {
    const entry = DETECTOR_ENTRIES.find((known) => known.id === rule.detector);
    if (entry === undefined)
      throw new AppError(
        "bad-request",
        `There is no detector ${JSON.stringify(rule.detector)}. There are ${DETECTOR_ENTRIES.map((known) => known.id).join(", ")}.`,
      );
    checkParameters(entry, rule.parameters);
  }
  if (rule.kind === "metric") checkRecovery(rule);
  const twin = others.find((other) => isSameScope(other.rule.scope, rule.scope) && subjectOf(other.rule) === subjectOf(rule));
  if (twin !== undefined)
    throw new AppError("conflict", `Rule ${twin.id} says it for ${subjectOf(rule)} in this scope already. Change that one.`, {
      details: { ruleId: twin.id },
    });
}

/** A value beyond the threshold is no recovery: it would be over and back with every point. */
function checkRecovery({ condition, value, recoverValue }: MetricRule): void {
  if (recoverValue === null || (condition === "above" ? recoverValue <= value : recoverValue >= value)) return;
  const side = condition === "above" ? "at or below" : "at or above";
  throw new AppError(
    "bad-request",
    `The value at which it is over (${recoverValue}) must lie ${side} the threshold (${value}): it speaks ${condition} it.`,
  );
}

function subjectOf(rule: Rule): string {
  return rule.kind === "detector" ? `detector ${rule.detector}` : `“${rule.title}”`;
}

/** @throws AppError `bad-request` for a scope of both, `not-found` for a run that there is not */
export async function checkScope(records: Records, { runId, cluster }: RuleScope): Promise<void> {
  if (runId !== null && cluster !== null)
    throw new AppError("bad-request", "A scope is a run or a cluster, not both: a run has one cluster.");
  if (runId !== null) required(await records.runs.facts(runId), "run", runId);
}
