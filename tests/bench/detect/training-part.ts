import { hasCorpus } from "../../corpora/corpus-folder.ts";
import { bootstrapNulls } from "./bootstrap.ts";
import { judgeCorpus } from "./corpus-verdicts.ts";
import { detectorCost } from "./cost.ts";
import { detectorNulls } from "./detector-nulls.ts";
import { GOALS, injectInto, meetsGoals } from "./injection.ts";
import { nullsHold, simulatedNulls } from "./nulls.ts";
import { goal } from "./part.ts";
import type { Part, Section } from "./part.ts";

/** Detectors of a run as a whole: on simulated nulls, and on real logs where the corpus is there. */
export function trainingPart(): Part {
  const nulls = simulatedNulls();
  const bound = nulls.filter((line) => line.bound);
  const points = bound.reduce((sum, line) => sum + line.points, 0);
  const alarms = bound.reduce((sum, line) => sum + line.alarms, 0);
  const simulated: readonly Section[] = [
    {
      title: "Loss shift on simulated nulls",
      text: "Runs of 2,000 points from the first one on. Where noise has a memory the rate is told and not promised.",
      rows: nulls,
    },
    {
      title: "All detectors of a run on the same nulls",
      text: "Warnings or worse, each detector alone on every metric that it reads; step times and rates with the same noise.",
      rows: detectorNulls(),
    },
    { title: "Cost of the detectors of a run", text: "CPU time, the second of two passes.", rows: detectorCost() },
  ];
  const onNulls = goal(
    "loss-spike pages ≤ 0.1 per 10,000 healthy steps",
    `${alarms} in ${points.toLocaleString("en-US")} simulated points`,
    nullsHold(nulls),
  );
  if (!hasCorpus) return { sections: simulated, goals: [onNulls] };
  const logs = logPart();
  return { sections: [...simulated, ...logs.sections], goals: [onNulls, ...logs.goals] };
}

function logPart(): Part {
  const blocks = bootstrapNulls();
  const { rows, files, healthy } = judgeCorpus();
  const injected = [injectInto("calibration"), injectInto("judged")].flat();
  const unmet = rows.filter((row) => !row.met).length;
  const falseAlarms = healthy.reduce((sum, line) => sum + line.alarms, 0);
  const points = healthy.reduce((sum, line) => sum + line.points, 0);
  const judged = injected.filter(({ set }) => set === "judged");
  const of = (shape: string, column: "median delay" | "onset error p90"): string =>
    String(judged.find((line) => line.shape === shape)?.[column] ?? "none");
  const lowest = Math.min(...judged.map((line) => line["lower end before"]));
  return {
    sections: [
      { title: "Healthy real logs", text: "Files of class none, and those whose only trouble is one-step outliers.", rows: healthy },
      {
        title: "Expected rows of the real logs",
        text: "Counts by class; which file and row is missed is printed by the command.",
        rows: byClass(rows),
      },
      {
        title: "Block bootstrap of healthy logs",
        text: "Standardised residuals in blocks of 64 about a flat level: real tails and short memory, without the trend.",
        rows: blocks,
      },
      {
        title: "Injected into healthy real logs",
        text: "Delay in logged points; sizes in the local sigma. Calibration logs were used for tuning, judged ones were not.",
        rows: injected,
      },
      {
        title: "Files of the corpus",
        text: "What each says. Which are calibration files was drawn before anything was tuned.",
        isPrintedOnly: true,
        rows: files,
      },
    ],
    goals: [
      goal("no warning on healthy real logs", `${falseAlarms} in ${points.toLocaleString("en-US")} points`, falseAlarms === 0),
      goal("expected rows of the labelled logs", `${rows.length - unmet} of ${rows.length}`, unmet === 0),
      goal(
        `3 σ within ${GOALS.threeSigma} points, 5 σ within ${GOALS.fiveSigma} (medians); jumps dated within ${GOALS.jumpOnset} (p90), the lower end before the onset in ${GOALS.lowerBefore * 100} %, on judged logs`,
        `3 σ: ${of("shift 3 σ", "median delay")}, 5 σ: ${of("shift 5 σ", "median delay")}, dated within ${of("shift 5 σ", "onset error p90")}, before in at least ${Math.round(1000 * lowest) / 10} %`,
        meetsGoals(injected),
      ),
    ],
  };
}

function byClass(rows: readonly { readonly set: string; readonly class: string; readonly met: boolean }[]): Section["rows"] {
  const groups = new Map<string, { set: string; class: string; rows: number; met: number }>();
  for (const { set, class: kind, met } of rows) {
    const key = `${set} ${kind}`;
    const group = groups.get(key) ?? { set, class: kind, rows: 0, met: 0 };
    groups.set(key, { ...group, rows: group.rows + 1, met: group.met + (met ? 1 : 0) });
  }
  return [...groups.values()];
}
