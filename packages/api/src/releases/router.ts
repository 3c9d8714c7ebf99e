import { router } from "../procedures.ts";
import { releaseAnswers } from "./answers.ts";
import { createRelease } from "./create.ts";
import { deleteRelease } from "./delete.ts";
import { exportRelease } from "./export.ts";
import { fixGates } from "./fix-gates.ts";
import { frozenDiff } from "./frozen-diff.ts";
import { frozenRelease } from "./frozen.ts";
import { getRelease } from "./get.ts";
import { listReleases } from "./list.ts";
import { overrideComparison } from "./override-comparison.ts";
import { overrideGate } from "./override-gate.ts";
import { releaseSample } from "./sample.ts";
import { releaseSamples } from "./samples.ts";
import { signRelease } from "./sign.ts";
import { updateRelease } from "./update.ts";

export const releasesRouter = router({
  list: listReleases,
  get: getRelease,
  create: createRelease,
  update: updateRelease,
  fixGates,
  overrideGate,
  overrideComparison,
  sign: signRelease,
  frozen: frozenRelease,
  frozenDiff,
  samples: releaseSamples,
  sample: releaseSample,
  answers: releaseAnswers,
  export: exportRelease,
  delete: deleteRelease,
});
