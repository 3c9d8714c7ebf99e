import { type ReleaseComparison, rowKey as keyOfRow } from "@trainwatch/core";
import { breakExamples, withExamplePrompts } from "@trainwatch/decide";
import type { EvaluationColumns, Evaluations } from "@trainwatch/store";
import { measureInputs } from "./measure-inputs.ts";

/** The comparison with the prompts of what stands as an example of what breaks, as the baseline was asked them. */
export async function loadExamplePrompts(
  evaluations: Pick<Evaluations, "texts">,
  comparison: ReleaseComparison,
  stored: EvaluationColumns,
): Promise<ReleaseComparison> {
  const examples = breakExamples(comparison);
  const [baseline] = comparison.columns;
  if (examples.length === 0 || baseline === undefined) return comparison;
  // A column is made of one set and shares its list of keys.
  const setOfKeys = new Map(stored.samples.map(({ keys, setId }) => [keys, setId]));
  const setOfRow = new Map<string, number>();
  for (const measure of measureInputs(baseline.scorecardId, stored)) {
    const setId = measure.samples === null ? undefined : setOfKeys.get(measure.samples.keys);
    if (setId !== undefined) setOfRow.set(keyOfRow(measure), setId);
  }
  const wanted = new Map<number, string[]>();
  for (const { rowKey, key } of examples) {
    const setId = setOfRow.get(rowKey);
    if (setId !== undefined) wanted.set(setId, [...(wanted.get(setId) ?? []), key]);
  }
  const prompts = new Map<string, string | null>();
  for (const [setId, keys] of wanted)
    for (const [key, { prompt }] of await evaluations.texts(setId, keys)) prompts.set(nameOf(setId, key), prompt);
  return withExamplePrompts(comparison, ({ rowKey, key }) => prompts.get(nameOf(setOfRow.get(rowKey) ?? 0, key)) ?? null);
}

const nameOf = (setId: number, key: string): string => `${setId} ${key}`;
