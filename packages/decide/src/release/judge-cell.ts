import type { MeasureDescription, SettingDifference } from "@trainwatch/core";
import { samplesToSettle } from "@trainwatch/stats";
import type { Joins } from "./align.ts";
import { NO_ERROR, settingDifferences, stderrDifference } from "./comparability.ts";
import { jointTest, unpairedTest } from "./joint.ts";
import type { JointEstimates } from "./joint.ts";
import { pairedTest } from "./paired-test.ts";
import type { Difference, TestOptions } from "./paired-test.ts";
import { promptDifference } from "./prompt-difference.ts";
import { count } from "./reading.ts";
import type { Reading } from "./reading.ts";
import { isOneScale } from "./row-unit.ts";

/** A cell compared with the baseline, before the correction over all tests. */
export interface Judgement {
  /** Whether the difference may be judged: nothing forbids it, or a person has allowed it, and an error is known. */
  readonly comparable: boolean;
  readonly overridden: boolean;
  readonly differences: readonly SettingDifference[];
  /** Null: no test could be made. */
  readonly tested: Difference | null;
  /** As printed, where no test could be made. */
  readonly delta: number | null;
  readonly notes: readonly string[];
}

/** Whether nothing but an unknown error keeps a column from being compared with the baseline (null: it is the baseline): milliseconds are no cost beside seconds. */
export function isMeasuredAlike(judgement: Judgement | null): boolean {
  if (judgement === null || judgement.overridden) return true;
  return !judgement.differences.some(({ forbids, setting }) => forbids && setting !== "stderr");
}

export interface JudgeContext extends TestOptions {
  readonly joins: Joins;
  readonly description: MeasureDescription;
  readonly joint: JointEstimates | null;
}

/** Compares the result of column `column` with that of the baseline, both usable. */
export function judgeCell(baseline: Reading, candidate: Reading, column: number, allowed: boolean, context: JudgeContext): Judgement {
  const { joins, description, joint, level } = context;
  const settings = settingDifferences(baseline.measure, candidate.measure);
  // Seconds less milliseconds are no difference, whoever allows it.
  if (!isOneScale(baseline.measure, candidate.measure))
    return { comparable: false, overridden: false, differences: settings, tested: null, delta: null, notes: [] };
  const stderr = settings.some(({ setting }) => setting === "unit") ? null : stderrDifference(baseline, candidate, description);
  const delta = (candidate.value ?? Number.NaN) - (baseline.value ?? Number.NaN);
  const pairing = joint === null ? pairedTest(baseline, candidate, joins, context) : null;
  const known = joint === null ? (pairing?.difference ?? unpairedTest(baseline, candidate, level)) : jointTest(joint, 0, column, level);
  // Printed errors of two methods say nothing together; paired samples do not need them.
  const errors: readonly SettingDifference[] = stderr === null ? [] : [{ ...stderr, forbids: usesPrinted(baseline, candidate, known) }];
  const unknown = known === null && delta !== 0 ? [NO_ERROR] : [];
  const prompts = promptDifference(baseline, candidate, joins);
  const differences = [...settings, ...(prompts === null ? [] : [prompts]), ...errors, ...unknown].sort(
    (a, b) => Number(b.forbids) - Number(a.forbids),
  );
  const forbidden = differences.some(({ forbids }) => forbids);
  const overridden = forbidden && allowed;
  return {
    comparable: (!forbidden || overridden) && (known !== null || delta === 0),
    overridden,
    differences,
    tested: known,
    delta: known?.delta ?? delta,
    notes: [
      ...(stderr === null ? [] : ["Other stderr method"]),
      ...(unknown.length === 0 ? [] : ["No error is known, so nothing is claimed"]),
      ...(pairing === null || pairing.alone === 0
        ? []
        : [`Compared on ${count(pairing.difference.pairs ?? 0, "common sample")}; ${count(pairing.alone, "sample")} of one side only`]),
    ],
  };
}

function usesPrinted(baseline: Reading, candidate: Reading, known: Difference | null): boolean {
  if (known === null || known.pairs !== null) return false;
  return baseline.source === "stderr" || candidate.source === "stderr";
}

/** Chance to find a difference that is there, of "so many more samples would settle it". */
const POWER = 0.8;

/**
 * Common samples that would settle a tie, beyond those there are: enough to find the difference seen, or to rule out a loss beyond the margin,
 * whichever takes fewer. Null: not paired, or no number would.
 * @param signed the difference, positive for better; @param margin over 0, both in the row's unit
 */
export function moreSamples(tested: Difference, signed: number, margin: number, level: number): number | null {
  if (tested.pairs === null || tested.perPairSd === null) return null;
  const needed = samplesToSettle({ delta: Math.max(Math.abs(signed), signed + margin), perPairSd: tested.perPairSd, level, power: POWER });
  return needed === null || needed <= tested.pairs ? null : needed - tested.pairs;
}
