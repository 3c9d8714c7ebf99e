import { type EvalSettings, type JsonNumber, textHash } from "@trainwatch/core";

/** Tasks that a group is the mean of, as the file lists them; without entry or empty: a plain task. */
export type Subtasks = ReadonlyMap<string, readonly string[]>;

/** The plain tasks under a group, each once, groups inside it resolved. A group that holds itself ends there. */
export function leavesOf(group: string, subtasks: Subtasks): readonly string[] {
  const leaves = new Set<string>();
  const seen = new Set<string>();
  const open = [group];
  for (let task = open.pop(); task !== undefined; task = open.pop()) {
    if (seen.has(task)) continue;
    seen.add(task);
    const inside = subtasks.get(task) ?? [];
    if (inside.length === 0) leaves.add(task);
    else open.push(...inside.toReversed());
  }
  return [...leaves];
}

export interface Part {
  readonly value: JsonNumber;
  /** Samples behind it; null: not told. */
  readonly n: number | null;
}

/** A mean as printed is one of the two when it agrees to this, relatively: sums in another order differ by less. */
const SAME = 1e-9;

/**
 * How a group's value was weighted. The file does not tell it (`weight_by_size` is left out), so it is worked out: the mean by samples over the
 * plain tasks, or the mean of the direct subtasks. Null when both or neither give the printed value.
 */
export function weighting(value: JsonNumber, direct: readonly Part[], leaves: readonly Part[]): "micro" | "macro" | null {
  if (typeof value !== "number") return null;
  const macro = same(value, mean(direct.map((part) => ({ ...part, n: 1 }))));
  const micro = same(value, mean(leaves));
  if (macro === micro) return null;
  return micro ? "micro" : "macro";
}

function same(value: number, other: number | null): boolean {
  return other !== null && Math.abs(value - other) <= SAME * Math.max(Math.abs(value), Math.abs(other), 1e-3);
}

function mean(parts: readonly Part[]): number | null {
  let sum = 0;
  let weight = 0;
  for (const { value, n } of parts) {
    if (typeof value !== "number" || n === null) return null;
    sum += value * n;
    weight += n;
  }
  return weight > 0 ? sum / weight : null;
}

/** Sum of the samples; null where one is not told. */
export function samplesOf(parts: readonly Part[]): number | null {
  return parts.reduce<number | null>((sum, { n }) => (sum === null || n === null ? null : sum + n), parts.length === 0 ? null : 0);
}

/**
 * Settings of a group: what all its tasks have alike. What the file says of the group itself stands only where its tasks say nothing (it
 * prints n-shot 0 for every group). Task versions and hashes are told together, by the hash of the list.
 */
export function settingsOfGroup(own: EvalSettings, leaves: ReadonlyMap<string, EvalSettings>): EvalSettings {
  if (leaves.size === 0) return own;
  const all = [...leaves.values()];
  const settings: Record<string, string | number | boolean> = {};
  for (const name of new Set([own, ...all].flatMap((one) => Object.keys(one)))) {
    const told = new Set(all.map((one) => one[name]));
    const [first] = told;
    const told1 = told.size === 1 ? (first ?? own[name]) : undefined;
    if (told1 !== undefined) settings[name] = told1;
  }
  for (const name of ["taskVersion", "taskHash"] as const) {
    const told = [...leaves].map(([task, one]) => [task, one[name]] as const);
    if (own[name] !== undefined) settings[name] = own[name];
    else if (told.every(([, value]) => value !== undefined) && new Set(told.map(([, value]) => value)).size > 1)
      settings[name] = `of ${told.length} tasks: ${textHash(JSON.stringify(told.toSorted(([a], [b]) => (a < b ? -1 : 1))))}`;
  }
  return settings;
}
