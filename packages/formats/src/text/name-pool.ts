/** Distinct names kept; a damaged log must not grow the pool without end. */
const MAX_NAMES = 4096;

/**
 * Gives one string per distinct name. Names are cut out of decoded slices, and a cut-out keeps its whole slice alive:
 * records that hold pooled names hold the slices of the first occurrences only.
 */
export function namePool(): (name: string) => string {
  const names = new Map<string, string>();
  return (name) => {
    const known = names.get(name);
    if (known !== undefined) return known;
    if (names.size < MAX_NAMES) names.set(name, name);
    return name;
  };
}
