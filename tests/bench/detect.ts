// `npm run bench -- detect [--full] [--write] [--part=run|post-training|ranks|fleet|clusters]`: what the detectors find, what they say on healthy data, how soon, whom and what they accuse, and at what
// cost. `--write` puts the figures of the parts that ran into docs/detection-quality.md. Without the corpus only the simulated parts run. Thresholds are those of the detectors' entries and are not changed here.
import { hasCorpus } from "../corpora/corpus-folder.ts";
import { clusterPart } from "./detect/cluster-part.ts";
import { fleetPart } from "./detect/fleet-part.ts";
import type { BenchOptions, Part } from "./detect/part.ts";
import { postTrainingPart } from "./detect/post-training/rl-part.ts";
import { isPartName, PART_HEADINGS, writeQualityDocument, type MeasuredPart, type PartName } from "./detect/quality-document.ts";
import { rankPart } from "./detect/rank-part.ts";
import { printTable } from "./detect/table.ts";
import { trainingPart } from "./detect/training-part.ts";

const PARTS: Readonly<Record<PartName, (options: BenchOptions) => Part | Promise<Part>>> = {
  run: trainingPart,
  "post-training": postTrainingPart,
  ranks: rankPart,
  fleet: fleetPart,
  clusters: clusterPart,
};

/** @throws Error for a part that there is not: nothing measured would look like nothing missed */
function partsAsked(): readonly PartName[] {
  const all = Object.keys(PART_HEADINGS).filter((name) => isPartName(name));
  const only = process.argv.find((word) => word.startsWith("--part="))?.slice("--part=".length);
  if (only === undefined) return all;
  if (!isPartName(only)) throw new Error(`there is no part ${only}; there are ${all.join(", ")}`);
  return [only];
}

async function run(): Promise<Record<string, unknown> & { ok: boolean }> {
  const isFull = process.argv.includes("--full");
  const isWritten = process.argv.includes("--write");
  const asked = partsAsked();
  // Its figures on real logs would be lost.
  if (isWritten && asked.includes("run") && !hasCorpus)
    throw new Error("part run is written only where the corpus is: see TRAINWATCH_CORPUS");
  const parts: MeasuredPart[] = [];
  for (const name of asked) {
    const started = performance.now();
    const part = await PARTS[name]({ full: isFull });
    for (const { title, rows } of part.sections) printTable(title, rows);
    const seconds = Math.round((performance.now() - started) / 1000);
    parts.push({ name, ...part, isFull, seconds, day: new Date().toISOString().slice(0, 10) });
  }
  const goals = parts.flatMap((part) => part.goals);
  printTable(
    "Goals",
    goals.map((each) => ({ ...each })),
  );
  if (isWritten) await writeQualityDocument(parts);
  return { ok: goals.every(({ met }) => met), full: isFull, goals, parts };
}

export default { name: "detect", run };
