import { type ReleaseComparison, rowKey as keyOfRow } from "@trainwatch/core";
import { breakExamples, type RecordFile, withExamplePrompts } from "@trainwatch/decide";

/** The comparison with the prompts of what stands as an example of what breaks, as the baseline was asked them. */
export function addExamplePrompts(comparison: ReleaseComparison, files: readonly RecordFile[]): ReleaseComparison {
  const [baseline] = comparison.columns;
  const wanted = new Set(breakExamples(comparison).map(({ rowKey, key }) => nameOf(rowKey, key)));
  if (wanted.size === 0 || baseline === undefined) return comparison;
  const prompts = new Map<string, string | null>();
  for (const { records } of files)
    for (const record of records) {
      if (record.kind !== "sample" || record.subject.model !== baseline.model || record.subject.step !== baseline.step) continue;
      for (const metric of Object.keys(record.scores)) {
        const rowKey = keyOfRow({ ...record, metric });
        // A key bears its epoch where there are several.
        for (const key of [record.key, `${record.key}#${record.epoch}`])
          if (wanted.has(nameOf(rowKey, key))) prompts.set(nameOf(rowKey, key), record.prompt);
      }
    }
  return withExamplePrompts(comparison, ({ rowKey, key }) => prompts.get(nameOf(rowKey, key)) ?? null);
}

const nameOf = (rowKey: string, key: string): string => JSON.stringify([rowKey, key]);
