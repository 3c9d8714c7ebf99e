import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseMarkdown, type MarkdownSpan } from "./parse-markdown.ts";

const spansOf = (source: string): readonly MarkdownSpan[] => {
  const [block] = parseMarkdown(source);
  return block?.kind === "paragraph" ? (block.lines[0] ?? []) : [];
};

describe("Markdown of a comment", () => {
  it("knows paragraphs, lists and fenced code", () => {
    expect(
      parseMarkdown("Drained it.\nAsking for a spare.\n\n- c11-n07\n- h16-n02\n\n```\nsbatch resume.sh\n# not a list\n```\nDone"),
    ).toEqual([
      { kind: "paragraph", lines: [[{ kind: "text", text: "Drained it." }], [{ kind: "text", text: "Asking for a spare." }]] },
      { kind: "list", ordered: false, items: [[{ kind: "text", text: "c11-n07" }], [{ kind: "text", text: "h16-n02" }]] },
      { kind: "code", text: "sbatch resume.sh\n# not a list" },
      { kind: "paragraph", lines: [[{ kind: "text", text: "Done" }]] },
    ]);
  });

  it("knows code, bold, italic and links to http, and nothing within code", () => {
    expect(spansOf("`**raw**` is **bold**, *slanted*, [the log](https://x.test/a)")).toEqual([
      { kind: "code", text: "**raw**" },
      { kind: "text", text: " is " },
      { kind: "strong", text: "bold" },
      { kind: "text", text: ", " },
      { kind: "emphasis", text: "slanted" },
      { kind: "text", text: ", " },
      { kind: "link", text: "the log", href: "https://x.test/a" },
    ]);
  });

  it("leaves names with underscores, stars of a product and steps alone", () => {
    for (const text of ["grad_norm and step_time", "2 * 3 * 4", "rank 5_427", "a < b && c > d"]) {
      expect(spansOf(text)).toEqual([{ kind: "text", text }]);
    }
  });

  it("takes no HTML and no other scheme: they stay the words that they are", () => {
    for (const text of ["<img src=x onerror=alert(1)>", "[go](javascript:alert(1))", "<b>bold</b>"]) {
      expect(spansOf(text)).toEqual([{ kind: "text", text }]);
    }
  });

  it("leaves a full stop after a bare link outside of it", () => {
    expect(spansOf("see https://x.test/a?b=1.")).toEqual([
      { kind: "text", text: "see " },
      { kind: "link", text: "https://x.test/a?b=1", href: "https://x.test/a?b=1" },
      { kind: "text", text: "." },
    ]);
  });

  it("reads anything, and gives links to http and https alone", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (source) => {
        for (const block of parseMarkdown(source)) {
          const spans = block.kind === "code" ? [] : (block.kind === "list" ? block.items : block.lines).flat();
          for (const span of spans) if (span.kind === "link") expect(span.href).toMatch(/^https?:\/\//);
        }
      }),
    );
  });
});
