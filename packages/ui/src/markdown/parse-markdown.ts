/**
 * The part of Markdown that a comment needs: paragraphs, lists, fenced code, and within a line code, bold, italic and links. Text that is none of these stays as it was
 * typed, HTML too: what comes out are words and never markup of the writer's own.
 */
export type MarkdownBlock =
  | { readonly kind: "paragraph"; readonly lines: readonly (readonly MarkdownSpan[])[] }
  | { readonly kind: "list"; readonly ordered: boolean; readonly items: readonly (readonly MarkdownSpan[])[] }
  | { readonly kind: "code"; readonly text: string };

export type MarkdownSpan =
  | { readonly kind: "text" | "code" | "strong" | "emphasis"; readonly text: string }
  | { readonly kind: "link"; readonly text: string; readonly href: string };

const FENCE = /^```/;
const BULLET = /^\s{0,3}[-*+]\s+(.*)$/;
const NUMBER = /^\s{0,3}\d{1,9}[.)]\s+(.*)$/;

export function parseMarkdown(source: string): readonly MarkdownBlock[] {
  const lines = source.replaceAll("\r\n", "\n").split("\n");
  const blocks: MarkdownBlock[] = [];
  let at = 0;
  /** Takes lines for as long as `read` makes something of them. */
  const take = <T>(read: (line: string) => T | null): readonly T[] => {
    const found: T[] = [];
    for (
      let made = at < lines.length ? read(lines[at] ?? "") : null;
      made !== null;
      made = at < lines.length ? read(lines[at] ?? "") : null
    ) {
      found.push(made);
      at++;
    }
    return found;
  };
  while (at < lines.length) {
    const line = lines[at] ?? "";
    if (line.trim() === "") {
      at++;
    } else if (FENCE.test(line)) {
      at++;
      const text = take((each) => (FENCE.test(each) ? null : each)).join("\n");
      // The closing fence, if there is one: an open one reaches to the end.
      at++;
      blocks.push({ kind: "code", text });
    } else if (BULLET.test(line) || NUMBER.test(line)) {
      const ordered = NUMBER.test(line);
      const item = ordered ? NUMBER : BULLET;
      blocks.push({ kind: "list", ordered, items: take((each) => item.exec(each)?.[1] ?? null).map(parseSpans) });
    } else {
      const isPlain = (each: string): boolean => each.trim() !== "" && !FENCE.test(each) && !BULLET.test(each) && !NUMBER.test(each);
      blocks.push({ kind: "paragraph", lines: take((each) => (isPlain(each) ? each.trim() : null)).map(parseSpans) });
    }
  }
  return blocks;
}

/** Code first: nothing within it means anything. A link goes to http or https, whatever else is written is text. */
const SPAN =
  /`([^`]+)`|\*\*([^*]+)\*\*|__([^_]+)__|\*([^*\s](?:[^*]*[^*\s])?)\*|(?<![\w])_([^_\s](?:[^_]*[^_\s])?)_(?![\w])|\[([^\]]+)\]\((https?:\/\/[^\s)]+)\)|(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)])/g;

function parseSpans(line: string): readonly MarkdownSpan[] {
  const spans: MarkdownSpan[] = [];
  let done = 0;
  for (const match of line.matchAll(SPAN)) {
    const [whole, code, strong, underStrong, emphasis, underEmphasis, linkText, linkHref, bare] = match;
    if (match.index > done) spans.push({ kind: "text", text: line.slice(done, match.index) });
    done = match.index + whole.length;
    const bold = strong ?? underStrong;
    const slanted = emphasis ?? underEmphasis;
    if (code !== undefined) spans.push({ kind: "code", text: code });
    else if (bold !== undefined) spans.push({ kind: "strong", text: bold });
    else if (slanted !== undefined) spans.push({ kind: "emphasis", text: slanted });
    else if (linkText !== undefined && linkHref !== undefined) spans.push({ kind: "link", text: linkText, href: linkHref });
    else spans.push({ kind: "link", text: bare ?? whole, href: bare ?? whole });
  }
  if (done < line.length) spans.push({ kind: "text", text: line.slice(done) });
  return spans;
}
