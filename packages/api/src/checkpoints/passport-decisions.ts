import type { Passport } from "@trainwatch/core";
import { describeAction } from "@trainwatch/decide";
import type { Records } from "@trainwatch/store";
import type { PassportFacts } from "./passport-facts.ts";

const MOST_ALLOWANCES = 100;

/** Decisions that bear on these weights, newest first: answers to advice on the way to them, and what people signed or allowed. */
export async function passportDecisions(records: Records, facts: PassportFacts): Promise<Passport["decisions"]> {
  const signed = await Promise.all(
    facts.chosenBy.map(async ({ releaseId, spec: { name } }) =>
      (await records.releases.signatures(releaseId)).map(({ atMs, actor, role, signedAs }) => ({
        atMs,
        actor,
        text: `Signed to ship by ${signedAs} as ${role}, in "${name}"`,
        reason: null,
        releaseId,
        incidentId: null,
      })),
    ),
  );
  const allowed = await records.releases.allowances(
    facts.cards.map(({ scorecardId }) => scorecardId),
    MOST_ALLOWANCES,
  );
  return [
    ...adviceDecisions(facts),
    ...signed.flat(),
    ...allowed.map(({ gateId, rowKey, name, atMs, actor, reason, releaseId }) => ({
      atMs,
      actor,
      text: gateId === null ? `Comparison of ${rowKey ?? ""} allowed in "${name}"` : `A gate overridden in "${name}"`,
      reason,
      releaseId,
      incidentId: null,
    })),
  ].sort((a, b) => b.atMs - a.atMs);
}

/** On incidents that these weights have seen, and those that sent the run back to this very checkpoint. */
function adviceDecisions({ decisions, path, stored }: PassportFacts): Passport["decisions"] {
  const limits = new Map(path.toStep.map(({ attempt, throughStep }) => [attempt, throughStep]));
  return decisions.flatMap(({ incidentId, attempt, onsetStep, advice, verdict, reason, actor, atMs }) => {
    const isSeen = onsetStep !== null && onsetStep <= (limits.get(attempt) ?? Number.NEGATIVE_INFINITY);
    const leadsHere = advice.checkpointStep === stored.checkpoint.step;
    if (!isSeen && !leadsHere) return [];
    const text = `${verdict === "accepted" ? "Accepted" : "Declined"}: ${describeAction(advice)}`;
    return [{ atMs, actor, text, reason, releaseId: null, incidentId }];
  });
}
