/**
 * Python's `json` writes NaN, Infinity and -Infinity bare, which JSON does not know. This puts them in quotes, where `parsePush` reads
 * them, and leaves text that holds no such token as it is. Tokens inside strings stay.
 */
export function quoteBareNonFinite(json: string): string {
  // A quoted word has a quote before it: only a bare one asks for the pass over what may be 64 MiB.
  if (!/(?:^|[[,:\s])-?(?:NaN|Infinity)/.test(json)) return json;
  // A string with its escapes, or a token: "a NaN \" b" is kept whole, -Infinity becomes "-Infinity".
  return json.replace(/"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g, (match) => (match.startsWith('"') ? match : `"${match}"`));
}
