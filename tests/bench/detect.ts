// `npm run bench -- detect [--full] [--write] [--part=run|ranks|fleet|clusters]`: what the detectors find, what they say on healthy data, how soon, whom and what they accuse, and at what cost. `--write` puts the figures into
// docs/detection-quality.md. Without the corpus only the simulated parts run. Thresholds are those of the detectors' entries and are not changed here.
import { clusterPart } from "./detect/cluster-part.ts";
import { fleetPart } from "./detect/fleet-part.ts";
import type { BenchOptions, Part } from "./detect/part.ts";
import { writeQualityDocument } from "./detect/quality-document.ts";
import { rankPart } from "./detect/rank-part.ts";
import { printTable } from "./detect/table.ts";
import { trainingPart } from "./detect/training-part.ts";

const PARTS: readonly { readonly name: string; readonly run: (options: BenchOptions) => Part | Promise<Part> }[] = [
  { name: "run", run: trainingPart },
  { name: "ranks", run: rankPart },
  { name: "fleet", run: fleetPart },
  { name: "clusters", run: clusterPart },
];

async function run(): Promise<Record<string, unknown> & { ok: boolean }> {
  const isFull = process.argv.includes("--full");
  const parts: (Part & { readonly name: string; readonly seconds: number })[] = [];
  const only = process.argv.find((word) => word.startsWith("--part="))?.slice("--part=".length);
  for (const { name, run: runPart } of PARTS.filter((part) => only === undefined || part.name === only)) {
    const started = performance.now();
    const part = await runPart({ full: isFull });
    for (const { title, rows } of part.sections) printTable(title, rows);
    parts.push({ name, ...part, seconds: Math.round((performance.now() - started) / 1000) });
  }
  const goals = parts.flatMap((part) => part.goals);
  printTable(
    "Goals",
    goals.map((each) => ({ ...each })),
  );
  if (process.argv.includes("--write") && only === undefined) await writeQualityDocument({ full: isFull, parts });
  return { ok: goals.every(({ met }) => met), full: isFull, goals, parts };
}

export default { name: "detect", run };
