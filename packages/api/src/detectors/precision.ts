import type { DetectorPrecision, LabelCounts } from "@trainwatch/core";
import { wilsonInterval } from "@trainwatch/stats";
import type { LabelledAlarm } from "@trainwatch/store";
import { z } from "zod";
import { readVerb } from "../procedures.ts";

const WEEK_MS = 7 * 86_400_000;
const DEFAULT_WEEKS = 26;
const MOST_WEEKS = 520;

const precisionInput = z.object({ weeks: z.number().int().min(1).max(MOST_WEEKS).default(DEFAULT_WEEKS) }).prefault({});

/** What people said of each detector's alarms, by week of their beginning. Only labelled alarms count: those that nobody looked at are told apart. */
export const detectorPrecision = readVerb
  .input(precisionInput)
  .query(async ({ ctx, input: { weeks } }): Promise<readonly DetectorPrecision[]> => {
    const alarms = await ctx.store.records.labels.alarms(ctx.now() - weeks * WEEK_MS);
    return [...new Set(alarms.map(({ detector }) => detector))].map((detector) => {
      const own = alarms.filter((alarm) => alarm.detector === detector);
      return {
        detector,
        total: counted(own),
        unlabelled: sum(own, ({ unlabelled }) => unlabelled),
        weeks: own
          .filter(({ right, wrong, unsure }) => right + wrong + unsure > 0)
          .map((alarm) => ({ weekMs: alarm.weekMs, ...counted([alarm]) })),
      };
    });
  });

function counted(alarms: readonly LabelledAlarm[]): LabelCounts {
  const right = sum(alarms, (alarm) => alarm.right);
  const wrong = sum(alarms, (alarm) => alarm.wrong);
  const judged = right + wrong;
  const { low, high } = wilsonInterval(right, judged);
  return {
    right,
    wrong,
    unsure: sum(alarms, ({ unsure }) => unsure),
    precision: judged === 0 ? null : { share: right / judged, lower: low, upper: high },
  };
}

function sum(alarms: readonly LabelledAlarm[], pick: (alarm: LabelledAlarm) => number): number {
  return alarms.reduce((total, alarm) => total + pick(alarm), 0);
}
