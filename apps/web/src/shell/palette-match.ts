/** Whether every word of `query` is a part of one of `texts`, in any case; an empty query matches all. */
export function matches(query: string, texts: readonly string[]): boolean {
  const haystack = texts.join(" ").toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => haystack.includes(word));
}
