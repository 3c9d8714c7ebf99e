import { sayInteger, type Passport } from "@trainwatch/core";
import type { PathAssessment } from "@trainwatch/store";
import type { PassportFacts } from "./passport-facts.ts";

/** Below this share of belief a cause is one of several that nobody would act on. */
const LEAST_SHARE = 0.2;
const MOST_SUSPECTS = 20;

export function passportGpus({ gpus, assessments }: PassportFacts): Passport["gpus"] {
  const suspects = new Map<string, Passport["gpus"]["suspects"][number]>();
  for (const assessment of assessments)
    for (const suspect of suspectsOf(assessment)) {
      const known = suspects.get(suspect.gpu);
      if (known === undefined || (known.share ?? 0) < (suspect.share ?? 0)) suspects.set(suspect.gpu, suspect);
    }
  const ranked = [...suspects.values()].sort((a, b) => (b.share ?? 0) - (a.share ?? 0));
  return { ...gpus, suspects: ranked.slice(0, MOST_SUSPECTS) };
}

/** Hardware that may have computed wrong numbers: accused by an incident of learning, where data and optimizer could be at fault too. A slow GPU is not one. */
function suspectsOf({ incidentId, title, assessment }: PathAssessment): Passport["gpus"]["suspects"] {
  if (!assessment.causes.some(({ cause }) => cause === "data" || cause === "optimizer")) return [];
  return assessment.causes.flatMap(({ cause, subjectKind, subjectId, share, facts }) => {
    if (cause !== "hardware" || subjectId === null || share < LEAST_SHARE) return [];
    const fact = facts.toSorted((a, b) => b.logBayesFactor - a.logBayesFactor)[0];
    const why = `incident ${sayInteger(incidentId)}: ${fact === undefined ? title : fact.text}`;
    return [{ gpu: subjectId, node: subjectKind === "node" ? subjectId : null, share, why }];
  });
}
