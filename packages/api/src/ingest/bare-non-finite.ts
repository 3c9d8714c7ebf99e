const BARE = /-?\b(?:NaN|Infinity)\b/g;

/**
 * Python's `json` writes NaN, Infinity and -Infinity bare, which JSON does not know. This puts them in quotes, where `parsePush` reads
 * them, and leaves text that holds no such token as it is. Tokens inside strings stay. Time grows with the length only: a string may fill
 * the whole of a 64 MiB body.
 */
export function quoteBareNonFinite(json: string): string {
  // A quoted word has a quote before it: only a bare one asks for the pass over what may be 64 MiB.
  if (!/(?:^|[[,:\s])-?(?:NaN|Infinity)/.test(json)) return json;
  const parts: string[] = [];
  let at = 0;
  while (at < json.length) {
    const open = json.indexOf('"', at);
    const end = open === -1 ? json.length : open;
    parts.push(json.slice(at, end).replace(BARE, '"$&"'));
    at = open === -1 ? json.length : stringEnd(json, open);
    parts.push(json.slice(end, at));
  }
  return parts.join("");
}

/** The place behind the string that opens at `open`; the end of the text where it is never closed. */
function stringEnd(json: string, open: number): number {
  let quote = json.indexOf('"', open + 1);
  while (quote !== -1 && isEscaped(json, open, quote)) quote = json.indexOf('"', quote + 1);
  return quote === -1 ? json.length : quote + 1;
}

/** An odd number of backslashes before a quote makes it part of the string. Each run of them is counted once, so this stays linear. */
function isEscaped(json: string, open: number, quote: number): boolean {
  let first = quote;
  while (first - 1 > open && json[first - 1] === "\\") first--;
  return (quote - first) % 2 === 1;
}
