import type { RunFacts, Samples } from "@trainwatch/store";

/** The step that a run was at; null where its samples tell no time, or began later. */
export type StepClock = (timeMs: number) => number | null;

/** Each time asked for costs a look at the run's samples: of more than so many those between are taken as evenly paced. */
const EXACT_TIMES = 16;

/** Steps of a run at some times (epoch ms, those of its samples). After its newest sample it is at its newest step: a GPU that dies ends the samples. */
export async function createStepClock(
  samples: Pick<Samples, "convertRange">,
  { id, lastSampleAtMs, lastStep }: Pick<RunFacts, "id" | "lastSampleAtMs" | "lastStep">,
  timesMs: readonly number[],
): Promise<StepClock> {
  if (lastSampleAtMs === null || lastStep === null) return () => null;
  const before = [...new Set(timesMs.filter((timeMs) => timeMs < lastSampleAtMs))].sort((a, b) => a - b);
  const looked = before.length <= EXACT_TIMES ? before : [before[0] ?? 0, before.at(-1) ?? 0];
  const known = new Map<number, number>();
  for (let index = 0; index < looked.length; index += 2) {
    const [from, to] = [looked[index] ?? null, looked[index + 1] ?? null];
    const steps = await samples.convertRange({ runId: id, fromAxis: "time", toAxis: "step", from, to });
    if (from !== null && steps.from !== null) known.set(from, Math.ceil(steps.from));
    if (to !== null && steps.to !== null) known.set(to, Math.ceil(steps.to));
  }
  return (timeMs) => (timeMs >= lastSampleAtMs ? lastStep : (known.get(timeMs) ?? between(known, timeMs)));
}

function between(known: ReadonlyMap<number, number>, timeMs: number): number | null {
  const [first, last] = [...known].sort(([a], [b]) => a - b);
  if (first === undefined || last === undefined || timeMs < first[0] || timeMs > last[0]) return null;
  return Math.ceil(first[1] + ((last[1] - first[1]) * (timeMs - first[0])) / (last[0] - first[0]));
}
