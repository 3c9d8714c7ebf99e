/** JSON with the fields of every object in order of their names: the same content gives the same text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item !== "object" || item === null || Array.isArray(item) || isInOrder(Object.keys(item))) return item;
    return Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
  });
}

/** Labels are mostly few, and a push of a wide run has some thousand sets of them. */
function isInOrder(names: readonly string[]): boolean {
  for (let index = 1; index < names.length; index++) if ((names[index - 1] ?? "") > (names[index] ?? "")) return false;
  return true;
}
