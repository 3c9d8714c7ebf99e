import { causeFamily, type Finding } from "@trainwatch/core";
import type { KnownFact } from "@trainwatch/decide";
import type { Records, RunFacts } from "@trainwatch/store";

export interface StepQuestion {
  readonly run: RunFacts;
  readonly attempt: string;
  readonly findings: readonly Finding[];
}

/** Findings at the same step that are looked through. */
const MOST_FINDINGS = 200;

/** What the steps of an incident say of its cause: whether the run had just resumed, and whether the same step was bad before, here or elsewhere. */
export async function stepFacts(records: Records, { run, attempt, findings }: StepQuestion): Promise<readonly KnownFact[]> {
  const learning = findings.filter(({ metric, severity }) => causeFamily(metric) === "optimisation" && severity !== "info");
  const onsets = learning.flatMap(({ onsetStep }) => onsetStep ?? []);
  if (onsets.length === 0) return [];
  const onset = Math.min(...onsets);
  const attempts = await records.runs.attempts(run.id);
  const own = attempts.find(({ name }) => name === attempt);
  const resumedAt = own === undefined || own.parent === null ? null : (own.branchStep ?? own.firstStep);
  const since = resumedAt === null ? null : onset - resumedAt;
  const margin = run.logEvery ?? 1;
  const there = await records.causes.beganAt({
    project: run.project,
    fromStep: onset - margin,
    toStep: onset + margin,
    limit: MOST_FINDINGS,
  });
  const alike = there.filter(({ metric, severity }) => severity !== "info" && causeFamily(metric) === "optimisation");
  const otherRuns = new Set(alike.filter(({ runId }) => runId !== run.id).map(({ runId }) => runId)).size;
  const otherAttempts = new Set(alike.filter((each) => each.runId === run.id && each.attempt !== attempt).map((each) => each.attempt)).size;
  return [
    ...(since === null || since < 0 ? [] : [known("after-resume", since)]),
    ...(otherRuns === 0 ? [] : [known("batch-spiked-elsewhere", otherRuns)]),
    ...(otherAttempts === 0 ? [] : [known("same-step-again", otherAttempts)]),
  ];
}

function known(fact: KnownFact["fact"], value: number): KnownFact {
  return { fact, value, subject: null, place: null };
}
