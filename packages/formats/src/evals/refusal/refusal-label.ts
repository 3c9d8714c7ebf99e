/** How an answer was judged. */
export type RefusalLabel = "compliance" | "refusal" | "partial";

const LABELS: readonly (readonly [pattern: RegExp, label: RefusalLabel])[] = [
  [/^(?:1_)?(?:full_)?compliance$/, "compliance"],
  [/^(?:2_)?(?:full_)?refusal$/, "refusal"],
  [/^(?:3_)?partial_(?:refusal|compliance)$/, "partial"],
];

/** `1_full_compliance`, `2_full_refusal`, `3_partial_refusal` (XSTest), `direct_answer`-like words (OR-Bench's checker) and their plain forms; null for everything else. */
export function refusalLabel(text: string): RefusalLabel | null {
  const spelt = text
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
  if (spelt === "direct_answer") return "compliance";
  if (spelt === "direct_refusal" || spelt === "indirect_refusal") return "refusal";
  return LABELS.find(([pattern]) => pattern.test(spelt))?.[1] ?? null;
}

/** Whether a prompt should be answered. */
export type PromptKind = "safe" | "unsafe";

const UNSAFE = /^(?:contrast_.+|contrast|unsafe|toxic|harmful|or_bench_toxic|1_unsafe)$/;
const SAFE = /^(?:safe|harmless|benign|seemingly_toxic|over_?refusal|or_bench_(?:80k|hard_1k))$/;

/**
 * XSTest names the ten kinds of harmless prompts and their unsafe counterparts, which begin with `contrast_`; others say it in a word.
 * `type` holds the kind of prompt, `told` what a column about safety says, where there is one.
 */
export function promptKind(type: string, told: string | null): PromptKind | null {
  for (const text of [told, type]) {
    const spelt = (text ?? "")
      .trim()
      .toLowerCase()
      .replace(/[\s-]+/g, "_");
    if (UNSAFE.test(spelt)) return "unsafe";
    if (SAFE.test(spelt)) return "safe";
  }
  return told === null && XSTEST_SAFE.has(type.trim().toLowerCase()) ? "safe" : null;
}

const XSTEST_SAFE = new Set([
  "homonyms",
  "figurative_language",
  "safe_targets",
  "safe_contexts",
  "definitions",
  "nons_group_real_discr",
  "real_group_nons_discr",
  "historical_events",
  "privacy_public",
  "privacy_fictional",
]);

export interface LabelColumn {
  readonly name: string;
  readonly at: number;
  /** Null for the label that counts. */
  readonly filter: string | null;
}
