import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const WEB = fileURLToPath(new URL("../../apps/web", import.meta.url));

export interface BuiltPages extends AsyncDisposable {
  readonly webRoot: string;
}

/** The pages as the source stands, built as for delivery into a folder that goes with the caller. */
export async function builtPages(): Promise<BuiltPages> {
  const webRoot = await mkdtemp(join(tmpdir(), "trainwatch-pages-"));
  await build({
    root: WEB,
    configFile: join(WEB, "vite.config.ts"),
    logLevel: "warn",
    build: { outDir: webRoot, emptyOutDir: true, sourcemap: false },
  });
  return { webRoot, [Symbol.asyncDispose]: () => rm(webRoot, { recursive: true, force: true }) };
}
