import { z } from "zod";
import { parseRunName } from "../../inputs/run-name.ts";
import type { RunName } from "../../inputs/run-name.ts";

/** `project/name` of the run that a source speaks of. */
export const runSchema = z.string("must be PROJECT/NAME of the run").transform((text, context): RunName => {
  const run = parseRunName(text);
  if (run !== null) return run;
  context.addIssue({ code: "custom", message: `must be PROJECT/NAME, both not empty; ${JSON.stringify(text)} is not` });
  return z.NEVER;
});
