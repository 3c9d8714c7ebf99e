import { z } from "zod";
import { textSchema } from "../text.ts";

/**
 * How a label of a GPU tells which rank runs on it: Slurm's `hpc_job`, or a Kubernetes pod's name. `label` is the attribute's name as Trainwatch
 * keeps it (`job`, `pod`, `namespace`, `container`); `pattern` must match the whole value and has the named groups `run` and, where the label tells
 * it, `rank`, such as `(?<run>.+)-worker-(?<rank>\d+)`; Slurm's job alone tells a run and no rank. `perNode`: the number in `rank` counts nodes, and
 * a rank is it times so many plus the GPU's index.
 */
export const assignmentRuleSchema = z.object({
  label: textSchema.min(1).max(64),
  pattern: textSchema
    .min(1)
    .max(256)
    .refine((pattern) => patternFault(pattern) === null, { error: (issue) => patternFault(String(issue.input)) ?? "is no pattern" }),
  perNode: z.number().int().min(1).max(1024).nullable().default(null),
});
export type AssignmentRule = z.infer<typeof assignmentRuleSchema>;

const MAX_RULES = 16;
export const assignmentRulesSchema = z.array(assignmentRuleSchema).max(MAX_RULES);
/** A value longer than this is matched by nothing: a pattern that backtracks must not hold the server. */
const MAX_VALUE = 256;

export interface RuleMatch {
  /** Name of the run, `project/name` or `name`. */
  readonly run: string;
  /** Null where the label tells the run only. */
  readonly rank: number | null;
}

/** What a rule makes of a label's value on a GPU; null where it does not match. */
export function matchAssignmentRule(rule: AssignmentRule, value: string, gpuIndex: number | null): RuleMatch | null {
  if (value.length > MAX_VALUE) return null;
  const groups = compiled(rule.pattern)?.exec(value)?.groups;
  const run = groups?.["run"];
  const place = groups?.["rank"];
  if (run === undefined || run === "") return null;
  if (place === undefined) return { run, rank: null };
  if (!/^\d{1,9}$/.test(place)) return null;
  if (rule.perNode === null) return { run, rank: Number(place) };
  return gpuIndex === null ? null : { run, rank: Number(place) * rule.perNode + gpuIndex };
}

function compiled(pattern: string): RegExp | null {
  try {
    return new RegExp(`^(?:${pattern})$`, "u");
  } catch {
    return null;
  }
}

function patternFault(pattern: string): string | null {
  if (compiled(pattern) === null) return "is no regular expression";
  if (!pattern.includes("(?<run>")) return "lacks the group (?<run>…)";
  // A repetition of a repetition takes exponential time on a value that nearly matches: "(a+)+".
  return /[+*}]\)[+*{]/.test(pattern) ? "repeats a repetition, which can take for ever" : null;
}
