import { createHash } from "node:crypto";
import {
  chmodSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { homedir, tmpdir, userInfo } from "node:os";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";
import tarFs from "tar-fs";

/** A Chromium that can be started: the program, and the environment it needs for its libraries and fonts. */
export interface BrowserFiles {
  readonly executablePath: string;
  readonly env: Readonly<Record<string, string>>;
}

const ARCHIVES = ["al2023.tar.br", "fonts.tar.br", "swiftshader.tar.br"] as const;

/** A folder of this user's that survives: the cache directory, or the temporary one where no home is writable. */
function cacheRoot(): string {
  const wanted = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
  try {
    mkdirSync(join(wanted, "trainwatch"), { recursive: true });
    return join(wanted, "trainwatch");
  } catch {
    const fallback = join(tmpdir(), `trainwatch-${userInfo().uid}`);
    mkdirSync(fallback, { recursive: true, mode: 0o700 });
    return fallback;
  }
}

function packageFolder(): string | undefined {
  try {
    return join(dirname(createRequire(import.meta.url).resolve("@sparticuz/chromium")), "../..");
  } catch {
    return undefined;
  }
}

async function unpack(source: string, target: string): Promise<void> {
  await pipeline(createReadStream(join(source, "chromium.br")), createBrotliDecompress(), createWriteStream(join(target, "chromium")));
  chmodSync(join(target, "chromium"), 0o755);
  // The package unpacks its system libraries only on Lambda; everywhere else we do it.
  for (const archive of ARCHIVES) {
    await pipeline(createReadStream(join(source, archive)), createBrotliDecompress(), tarFs.extract(target));
  }
}

/** Font folders: the bundled one first, so that pages look the same on every machine; the package's own file names folders of Lambda. */
function fontsConf(target: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${join(target, "fonts")}</dir><dir>/usr/share/fonts</dir><cachedir>${join(target, "fonts-cache")}</cachedir></fontconfig>
`;
}

/**
 * Unpacks the Chromium of the npm package once per user and version; concurrent callers agree by an atomic rename.
 * Undefined where the package has no build for this machine.
 */
export async function packagedBrowser(): Promise<BrowserFiles | undefined> {
  const folder = packageFolder();
  if (folder === undefined || process.platform !== "linux" || process.arch !== "x64" || !existsSync(join(folder, "bin/chromium.br")))
    return undefined;
  const version = createHash("sha256")
    .update(readFileSync(join(folder, "package.json")))
    .digest("hex")
    .slice(0, 12);
  const target = join(cacheRoot(), `chromium-${version}`);
  if (!existsSync(join(target, "chromium"))) {
    const staging = mkdtempSync(`${target}.`);
    try {
      await unpack(join(folder, "bin"), staging);
      writeFileSync(join(staging, "fonts.conf"), fontsConf(target));
      renameSync(staging, target);
    } catch (error) {
      rmSync(staging, { recursive: true, force: true });
      if (!existsSync(join(target, "chromium"))) throw error; // another process may have won the rename
    }
  }
  return {
    executablePath: join(target, "chromium"),
    // without the bundled fonts a machine that has none renders blank text
    env: { LD_LIBRARY_PATH: join(target, "lib"), FONTCONFIG_FILE: join(target, "fonts.conf") },
  };
}
