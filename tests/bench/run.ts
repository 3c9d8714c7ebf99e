// `npm run bench [-- NAME… [--option…]]`: prints one JSON object on stdout; tables and progress go to stderr.
// Each bench compares within one run, with a peer or with a physical limit, because machines are shared and noisy.
import { readdirSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

interface Bench {
  readonly name: string;
  /** The bench that runs this one as a part of it: run by itself only where it is named. */
  readonly partOf?: string;
  /** The figures; `ok: false` where a stated goal is missed. */
  run(): Promise<Record<string, unknown> & { ok?: boolean }>;
}

const FOLDER = import.meta.dirname;

function isBench(value: unknown): value is Bench {
  return (
    typeof value === "object" &&
    value !== null &&
    "name" in value &&
    typeof value.name === "string" &&
    "run" in value &&
    typeof value.run === "function"
  );
}

async function loadBenches(): Promise<Bench[]> {
  const benches: Bench[] = [];
  for (const file of readdirSync(FOLDER).sort()) {
    if (!file.endsWith(".ts") || file === "run.ts") continue;
    const module: unknown = await import(pathToFileURL(join(FOLDER, file)).href);
    const candidate = typeof module === "object" && module !== null && "default" in module ? module.default : undefined;
    if (isBench(candidate)) benches.push(candidate);
  }
  return benches;
}

async function main(): Promise<void> {
  // What begins with a dash is for the bench itself.
  const wanted = process.argv.slice(2).filter((word) => !word.startsWith("-"));
  const benches = await loadBenches();
  const unknown = wanted.filter((name) => !benches.some((bench) => bench.name === name));
  if (unknown.length > 0) {
    console.error(`Unknown bench ${unknown.join(", ")}. Known: ${benches.map((bench) => bench.name).join(", ")}.`);
    process.exitCode = 2;
    return;
  }
  const results: Record<string, unknown> = {};
  for (const bench of benches) {
    if (wanted.length > 0 ? !wanted.includes(bench.name) : bench.partOf !== undefined) continue;
    console.error(`bench ${bench.name} …`);
    const started = performance.now();
    const figures = await bench.run();
    results[bench.name] = { ...figures, wallS: Number(((performance.now() - started) / 1000).toFixed(1)) };
    if (figures.ok === false) process.exitCode = 1;
  }
  const machine = {
    cores: cpus().length,
    cpu: cpus()[0]?.model ?? "unknown",
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.versions.node,
  };
  console.log(JSON.stringify({ machine, results }, null, 2));
}

await main();
