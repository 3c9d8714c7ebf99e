import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const DOCUMENTS = [
  "README.md",
  ...readdirSync(join(ROOT, "docs"))
    .filter((file) => file.endsWith(".md"))
    .map((file) => `docs/${file}`),
];

/** `packages/core/src/finding.ts`, `apps/web/`: code spans that name a place in the tree. */
const PATH_SPAN = /`((?:apps|packages|prisma|tests|docs|\.ci)\/[\w./-]*)`/g;
/** `[detectors](docs/detectors.md#loss)` and `![picture](docs/images/run.png)`. */
const LINK = /\]\((?!https?:|#|mailto:)([^)#\s]+)(?:#[^)]*)?\)/g;

function matches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map((match) => match[1] ?? "");
}

describe.each(DOCUMENTS)("%s", (document) => {
  const text = readFileSync(join(ROOT, document), "utf8");

  it("names only paths that exist", () => {
    expect(matches(text, PATH_SPAN).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it("links only to files that exist", () => {
    expect(matches(text, LINK).filter((link) => !existsSync(resolve(ROOT, dirname(document), link)))).toEqual([]);
  });

  it("names npm scripts that exist", () => {
    const scripts = Object.keys(JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).scripts);
    expect(
      matches(text, /npm (?:run )?(demo|start|bench|check|setup|[a-z-]+)(?= |`|$)/gm).filter(
        (name) => !["ci", "install", "test", "registry", ...scripts].includes(name),
      ),
    ).toEqual([]);
  });
});

describe("the lock file", () => {
  it("names no host", () => {
    expect(readFileSync(join(ROOT, "package-lock.json"), "utf8")).not.toMatch(/"resolved": "https?:/);
  });
});
