import type { BreakCluster, ReleaseComparison } from "@trainwatch/core";

type SampleOfRow = Pick<NonNullable<BreakCluster["example"]>, "rowKey" | "key" | "epoch">;

/** What a list shows of a prompt. */
export const PROMPT_CHARACTERS = 300;

/** The samples that stand as examples of what breaks, each once. */
export function breakExamples({ breaks }: ReleaseComparison): readonly SampleOfRow[] {
  const examples = breaks.flatMap(({ clusters }) => clusters.flatMap(({ example }) => example ?? []));
  return [...new Map(examples.map(({ rowKey, key, epoch }) => [JSON.stringify([rowKey, key, epoch]), { rowKey, key, epoch }])).values()];
}

/** The comparison with the prompts of its examples, where there are any. @param promptOf of a sample of its row */
export function withExamplePrompts(comparison: ReleaseComparison, promptOf: (example: SampleOfRow) => string | null): ReleaseComparison {
  const breaks = comparison.breaks.map((summary) => ({
    ...summary,
    clusters: summary.clusters.map((cluster) =>
      cluster.example === null
        ? cluster
        : { ...cluster, example: { ...cluster.example, prompt: promptOf(cluster.example)?.slice(0, PROMPT_CHARACTERS) ?? null } },
    ),
  }));
  return { ...comparison, breaks };
}
