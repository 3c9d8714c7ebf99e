/** By time where every entry has one; else as the server gave them, which is the order in which they became known. */
export function inOrder<T extends { readonly atMs: number | null }>(entries: readonly T[]): readonly T[] {
  const times = entries.flatMap(({ atMs }) => (atMs === null ? [] : [atMs]));
  return times.length === entries.length ? entries.toSorted((a, b) => (a.atMs ?? 0) - (b.atMs ?? 0)) : entries;
}
