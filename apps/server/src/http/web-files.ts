import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export interface WebFiles {
  readonly root: string;
  readonly index: string;
  /** CSP sources for the scripts that stand inside `index.html`, such as the one that sets the theme before the first paint. */
  readonly scriptHashes: readonly string[];
}

export const DEFAULT_WEB_ROOT = fileURLToPath(new URL("../../../web/dist", import.meta.url));

/** The dashboard as it lies on disk. */
export interface WebSource {
  readonly root: string;
  /** The build of now, or null where there is none: it may be built, or built anew, while the server runs. */
  current(): WebFiles | null;
}

export function createWebSource(root: string = DEFAULT_WEB_ROOT): WebSource {
  const path = join(root, "index.html");
  let held: { readonly stamp: string; readonly files: WebFiles } | null = null;
  return {
    root,
    current() {
      const facts = statSync(path, { throwIfNoEntry: false });
      if (facts === undefined) return null;
      const stamp = `${facts.ino} ${facts.mtimeMs} ${facts.size}`;
      if (held?.stamp !== stamp) {
        const index = readFileSync(path, "utf8");
        held = { stamp, files: { root, index, scriptHashes: inlineScripts(index).map(cspHash) } };
      }
      return held.files;
    },
  };
}

// Matches `<script>document.documentElement.dataset.theme = "dark"</script>` but not `<script type="module" src="/assets/index.js"></script>`.
const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/gi;

function inlineScripts(html: string): readonly string[] {
  return [...html.matchAll(INLINE_SCRIPT)].map((match) => match[1] ?? "");
}

function cspHash(script: string): string {
  return `'sha256-${createHash("sha256").update(script).digest("base64")}'`;
}

/** What stands in place of a blank page. */
export const NOT_BUILT_PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Trainwatch</title>
<body style="font:14px/1.5 system-ui;margin:48px;max-width:60ch">
<h1 style="font-size:18px">The dashboard is not built</h1>
<p>The server runs, but the pages are missing. Build them with <code>npm run setup</code> in the repository, then reload.</p></body></html>`;
