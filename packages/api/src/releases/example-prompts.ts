import { type ReleaseComparison, rowKey as keyOfRow } from "@trainwatch/core";
import { breakExamples, withExamplePrompts } from "@trainwatch/decide";
import type { EvaluationColumns, Evaluations, StoredSampleSet } from "@trainwatch/store";
import { measureInputs } from "./measure-inputs.ts";
import { nameInSet } from "./sample-name.ts";

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
  const setOfKeys = new Map(stored.samples.map((set) => [set.keys, set]));
  const setOfRow = new Map<string, StoredSampleSet>();
  for (const measure of measureInputs(baseline.scorecardId, stored)) {
    const set = measure.samples === null ? undefined : setOfKeys.get(measure.samples.keys);
    if (set !== undefined) setOfRow.set(keyOfRow(measure), set);
  }
  const wanted = new Map<number, string[]>();
  for (const example of examples) {
    const set = setOfRow.get(example.rowKey);
    const name = set === undefined ? null : nameInSet(example, set);
    if (set !== undefined && name !== null) wanted.set(set.setId, [...(wanted.get(set.setId) ?? []), name]);
  }
  const prompts = new Map<string, string | null>();
  for (const [setId, names] of wanted)
    for (const [name, { prompt }] of await evaluations.texts(setId, names)) prompts.set(promptKey(setId, name), prompt);
  return withExamplePrompts(comparison, (example) => {
    const set = setOfRow.get(example.rowKey);
    const name = set === undefined ? null : nameInSet(example, set);
    return set === undefined || name === null ? null : (prompts.get(promptKey(set.setId, name)) ?? null);
  });
}

const promptKey = (setId: number, name: string): string => `${setId} ${name}`;
