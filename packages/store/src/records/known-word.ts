/**
 * A word of a closed list, as it stands in a text column.
 * @throws TypeError where a newer version has written a word that this one does not know
 */
export function known<T extends string>(words: readonly T[], word: string): T {
  const found = words.find((candidate) => candidate === word);
  if (found === undefined) throw new TypeError(`the database holds "${word}" where one of ${words.join(", ")} is due`);
  return found;
}
