import type { EvalSettings, MeasureDescription, SettingDifference } from "@trainwatch/core";
import { settingTitle } from "@trainwatch/core";
import type { MeasureInput } from "./contract.ts";
import type { Reading } from "./reading.ts";
import { unitsClash } from "./row-unit.ts";

/** Settings that change the result by more than models differ: told by both and different, they forbid the comparison. */
const FORBIDDING = new Set([
  "taskVersion",
  "taskHash",
  "nShot",
  "chatTemplate",
  "systemPrompt",
  "promptTemplate",
  "fewshotAsMultiturn",
  "limit",
  "judge",
  "opponent",
  "scorer",
  "epochs",
]);

/** What differs in how two results were measured, forbidding ones first: what only one of them tells is a doubt. */
export function settingDifferences(baseline: MeasureInput, candidate: MeasureInput): readonly SettingDifference[] {
  const differences = [...namedDifferences(baseline.settings, candidate.settings), ...shapeDifferences(baseline, candidate)];
  return differences.sort((a, b) => Number(b.forbids) - Number(a.forbids));
}

/** Whether nothing that both settings tell forbids to take two results for measured alike. */
export function measuredAlike(first: EvalSettings, second: EvalSettings): boolean {
  return namedDifferences(first, second).every(({ forbids }) => !forbids);
}

function namedDifferences(baseline: EvalSettings, candidate: EvalSettings): SettingDifference[] {
  const names = new Set([...Object.keys(baseline), ...Object.keys(candidate)]);
  const differences: SettingDifference[] = [];
  for (const setting of names) {
    const [own, other] = [said(baseline[setting]), said(candidate[setting])];
    if (own === other) continue;
    const forbids = own !== null && other !== null && (FORBIDDING.has(setting) || setting.startsWith("generation."));
    differences.push({ setting, title: settingTitle(setting), baseline: own, candidate: other, forbids });
  }
  return differences;
}

const said = (value: string | number | boolean | undefined): string | null => (value === undefined ? null : String(value));

const MEANS = { micro: "by samples", macro: "each task alike" } as const;

function shapeDifferences(baseline: MeasureInput, candidate: MeasureInput): SettingDifference[] {
  const differences: SettingDifference[] = [];
  if (unitsClash(baseline, candidate)) {
    differences.push({ setting: "unit", title: "unit", baseline: baseline.unit, candidate: candidate.unit, forbids: true });
  }
  const [own, other] = [baseline.group, candidate.group];
  if (own !== null && other !== null) {
    if (!sameTasks(own.subtasks, other.subtasks)) {
      const [mine, theirs] = [`${own.subtasks.length} tasks`, `${other.subtasks.length} tasks`];
      const words = mine === theirs ? { baseline: mine, candidate: `${theirs}, others` } : { baseline: mine, candidate: theirs };
      differences.push({ setting: "subtasks", title: "subtasks", ...words, forbids: true });
    }
    if (own.mean !== other.mean) {
      const [mine, theirs] = [own.mean === null ? null : MEANS[own.mean], other.mean === null ? null : MEANS[other.mean]];
      differences.push({
        setting: "mean",
        title: "mean over subtasks",
        baseline: mine,
        candidate: theirs,
        forbids: mine !== null && theirs !== null,
      });
    }
  }
  if (baseline.n !== null && candidate.n !== null && baseline.n !== candidate.n) {
    differences.push({ setting: "n", title: "samples", baseline: said(baseline.n), candidate: said(candidate.n), forbids: false });
  }
  return differences;
}

function sameTasks(first: readonly string[], second: readonly string[]): boolean {
  const known = new Set(first);
  return first.length === second.length && second.every((task) => known.has(task));
}

/** Ratio from which on two printed errors cannot be of one method. Shares of pass and fail have a ratio of 1, other means in [0, 1] hardly reach 2. */
const OTHER_METHOD = 2;

/**
 * Whether two printed standard errors of a share were got by different methods. The error of a mean of n scores in [0, 1] is √(v (1 − v) / n) times
 * a factor that the metric sets and the model hardly moves (1 for pass and fail); if these factors differ more than twofold, one of the two is
 * something else: a spread over subtasks, a misread column. n that only one of them tells is taken to be the same for both.
 */
export function stderrDifference(baseline: Reading, candidate: Reading, { range }: MeasureDescription): SettingDifference | null {
  const [own, other] = [baseline.measure.stderr, candidate.measure.stderr];
  if (range === "open" || !(own !== null && other !== null && own > 0 && other > 0)) return null;
  const scale = range === "percent" ? 100 : 1;
  const [ownN, otherN] = [baseline.measure.n, candidate.measure.n];
  const n = ownN !== null && otherN !== null ? Math.sqrt(ownN / otherN) : 1;
  const ratio = (n * own * spreadOf(candidate.value, scale)) / (other * spreadOf(baseline.value, scale));
  if (!(ratio > OTHER_METHOD || ratio < 1 / OTHER_METHOD)) return null;
  return { setting: "stderr", title: "standard error", baseline: printed(own), candidate: printed(other), forbids: false };
}

/** √(v (1 − v)), held off zero: near the ends a sample more or less would make it anything. */
function spreadOf(value: number | null, scale: number): number {
  const share = Math.min(Math.max((value ?? Number.NaN) / scale, 0.02), 0.98);
  return Math.sqrt(share * (1 - share));
}

const printed = (error: number): string => `±${error.toPrecision(3)}`;

/** Neither source tells how sure its number is. */
export const NO_ERROR: SettingDifference = {
  setting: "stderr",
  title: "standard error",
  baseline: null,
  candidate: null,
  forbids: true,
};
