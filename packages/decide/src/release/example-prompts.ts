import type { BreakCluster, ReleaseComparison } from "@trainwatch/core";

type Example = NonNullable<BreakCluster["example"]>;

/** What a list shows of a prompt. */
const PROMPT_CHARACTERS = 300;

/** The samples that stand as examples of what breaks, each once. */
export function breakExamples({ breaks }: ReleaseComparison): readonly Pick<Example, "rowKey" | "key">[] {
  const examples = breaks.flatMap(({ clusters }) => clusters.flatMap(({ example }) => example ?? []));
  return [...new Map(examples.map(({ rowKey, key }) => [JSON.stringify([rowKey, key]), { rowKey, key }])).values()];
}

/** The comparison with the prompts of its examples, where there are any. @param promptOf of a sample by its key in its row's samples */
export function withExamplePrompts(
  comparison: ReleaseComparison,
  promptOf: (example: Pick<Example, "rowKey" | "key">) => string | null,
): ReleaseComparison {
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
