import type { ReadLabels } from "./labelled-readings.ts";

const NAME_LABEL = "__name__";

/**
 * Takes the name out of labels as Prometheus sends them. A label without a value is the same as none (Prometheus' data model), and sorted or
 * not makes no difference here. Lengths and characters are the store's to judge.
 */
export function namedLabels(pairs: Iterable<readonly [name: string, value: string]>): ReadLabels {
  const labels = new Map<string, string>();
  for (const [label, value] of pairs) {
    if (labels.has(label)) return { code: "bad-labels", message: `Label ${label} stands twice.` };
    labels.set(label, value);
  }
  const name = labels.get(NAME_LABEL) ?? "";
  labels.delete(NAME_LABEL);
  const kept = [...labels].filter(([, value]) => value !== "");
  if (name === "") return { code: "bad-name", message: `A series has no name (label ${NAME_LABEL}).` };
  return { name, labels: Object.fromEntries(kept) };
}
