import { type ReleaseComparison, rowKey as keyOfRow } from "@trainwatch/core";
import { breakExamples, type RecordFile, withExamplePrompts } from "@trainwatch/decide";

/** The comparison with the prompts of what stands as an example of what breaks, as the baseline was asked them. */
export function addExamplePrompts(comparison: ReleaseComparison, files: readonly RecordFile[]): ReleaseComparison {
  const [baseline] = comparison.columns;
  const wanted = new Set(breakExamples(comparison).map(({ rowKey, key, epoch }) => nameOf(rowKey, key, epoch)));
  if (wanted.size === 0 || baseline === undefined) return comparison;
  const prompts = new Map<string, string | null>();
  for (const { records } of files)
    for (const record of records) {
      if (record.kind !== "sample" || record.subject.model !== baseline.model || record.subject.step !== baseline.step) continue;
      for (const metric of Object.keys(record.scores)) {
        const rowKey = keyOfRow({ ...record, metric });
        // The only epoch of a sample is told as 0, whatever its source calls it.
        const [own, only] = [nameOf(rowKey, record.key, record.epoch), nameOf(rowKey, record.key, 0)];
        if (wanted.has(own)) prompts.set(own, record.prompt);
        else if (wanted.has(only) && !prompts.has(only)) prompts.set(only, record.prompt);
      }
    }
  return withExamplePrompts(comparison, ({ rowKey, key, epoch }) => prompts.get(nameOf(rowKey, key, epoch)) ?? null);
}

const nameOf = (rowKey: string, key: string, epoch: number): string => JSON.stringify([rowKey, key, epoch]);
