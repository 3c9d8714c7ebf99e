import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const PROGRAMS = ["prometheus", "prometheus-node-exporter"] as const;
/** Kept between runs: 100 MB that need not be fetched twice. */
const KEPT = join(tmpdir(), `trainwatch-peers-${process.getuid?.() ?? "any"}`);

export type PeerPrograms = { readonly prometheus: string; readonly nodeExporter: string } | { readonly missing: string };

/**
 * Debian's Prometheus and node_exporter: those installed here, else the packages are fetched and unpacked beside, without installing them
 * (which would start their services). Where neither can be had, why.
 */
export async function findPeerPrograms(): Promise<PeerPrograms> {
  const installed = PROGRAMS.map(onPath);
  const [prometheus, nodeExporter] = installed;
  if (prometheus !== undefined && nodeExporter !== undefined) return { prometheus, nodeExporter };
  const unpacked = PROGRAMS.map((name) => join(KEPT, "usr", "bin", name));
  try {
    if (!unpacked.every((path) => existsSync(path))) await fetchPackages();
  } catch (error) {
    return { missing: error instanceof Error ? (error.message.split("\n", 1)[0] ?? "") : String(error) };
  }
  return { prometheus: unpacked[0] ?? "", nodeExporter: unpacked[1] ?? "" };
}

function onPath(name: string): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

async function fetchPackages(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "trainwatch-peers-new-"));
  try {
    // A fresh container has no lists of packages; without root they cannot be fetched, and those that are there must do.
    if (process.getuid?.() === 0) await run("apt-get", ["update", "-qq"], { timeout: 120_000 });
    await run("apt-get", ["download", "-qq", ...PROGRAMS], { cwd: folder, timeout: 120_000 });
    const tree = join(folder, "tree");
    await mkdir(tree);
    for (const file of await readdir(folder)) if (file.endsWith(".deb")) await run("dpkg-deb", ["-x", join(folder, file), tree]);
    // Another run may have been first.
    if (!existsSync(KEPT)) await rename(tree, KEPT);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
