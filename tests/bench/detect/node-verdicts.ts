import { wilsonInterval } from "@trainwatch/stats";
import { ofAll } from "./end-to-end.ts";
import type { Outcome } from "./end-to-end.ts";
import { goal } from "./part.ts";
import type { Goal } from "./part.ts";

/** detection.md L.6. */
const PRECISION = 0.95;
const RECALL = 0.9;
const WITHIN_S = 60;

/** Nodes accused against nodes struck, over the runs whose exporters were read. A run hangs without a node being broken: those are left out. */
export function nodeVerdicts(outcomes: readonly Outcome[]): {
  readonly line: Readonly<Record<string, string | number>>;
  readonly goals: readonly Goal[];
} {
  const runs = outcomes.filter(({ scenario, truth }) => scenario.fleet && scenario.group !== "stall" && truth.nodeId !== null);
  const delays = runs.map(({ accusedNodes, truth }) => accusedNodes.get(truth.nodeId ?? "") ?? null);
  const found = delays.filter((delay) => delay !== null).length;
  const inTime = delays.filter((delay) => delay !== null && delay < WITHIN_S).length;
  const wrong = runs.reduce(
    (sum, { accusedNodes, truth }) => sum + [...accusedNodes.keys()].filter((node) => node !== truth.nodeId).length,
    0,
  );
  const precision = found / Math.max(1, found + wrong);
  const recall = inTime / Math.max(1, runs.length);
  const interval = ({ low, high }: ReturnType<typeof wilsonInterval>): string => `${low.toFixed(3)} to ${high.toFixed(3)}`;
  return {
    line: {
      "nodes struck": runs.length,
      "accused rightly": found,
      "accused wrongly": wrong,
      precision: Number(precision.toFixed(3)),
      "precision, 95 %": interval(wilsonInterval(found, found + wrong)),
      "recall within 60 s": Number(recall.toFixed(3)),
      "recall, 95 %": interval(wilsonInterval(inTime, runs.length)),
      "median delay, s": ofAll(delays, 0.5),
      "p90, s": ofAll(delays, 0.9),
    },
    goals: [
      goal(`faulty node: precision ≥ ${PRECISION}`, `${found} of ${found + wrong} (${precision.toFixed(3)})`, precision >= PRECISION),
      goal(`faulty node: recall ≥ ${RECALL} within ${WITHIN_S} s`, `${inTime} of ${runs.length} (${recall.toFixed(3)})`, recall >= RECALL),
    ],
  };
}
