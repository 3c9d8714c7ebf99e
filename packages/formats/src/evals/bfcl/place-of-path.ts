export interface BfclPlace {
  readonly model: string | null;
  readonly category: string | null;
  /** "v3" of `BFCL_v3_simple_score.json`. */
  readonly version: string | null;
}

/** What the path of a score file says: `score/<model>/BFCL_v3_simple_score.json`, in newer versions with a group's folder between. */
export function placeOfPath(path: string): BfclPlace {
  const parts = path.split(/[/\\]/).filter((part) => part !== "");
  const [, version = null, category = null] = /^(?:BFCL_(v\d+)_)?(.+)_score\.jsonl?$/i.exec(parts.at(-1) ?? "") ?? [];
  const score = parts.lastIndexOf("score");
  const folder = score >= 0 ? parts.slice(score + 1, -1)[0] : undefined;
  return { model: folder ?? null, category, version };
}
