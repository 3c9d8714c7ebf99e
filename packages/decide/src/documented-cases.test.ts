import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Advice, Finding } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { aCheckpoint, aFinding, anInput } from "./advice-input.fixture.ts";
import { proposeAdvice } from "./propose.ts";

const corpus = process.env["TRAINWATCH_CORPUS"] ?? fileURLToPath(new URL("../../../../shared/data", import.meta.url));
const file = `${corpus}/rollbacks/cases.csv`;
const missing = !existsSync(file);

/** How the chronicle describes the fault, in a detector's words; steps come from the file. */
interface Case {
  readonly id: string;
  readonly state: Finding["state"];
  readonly shape: Finding["shape"];
  /** Steps after the onset at which the team decided (or had to). */
  readonly seenAfter: number;
  readonly stepTimeS: number;
  readonly gpus: number;
  readonly logEvery: number;
  readonly right: Advice["action"];
}

const CASES: readonly Case[] = [
  { id: "bloom-1", state: "ongoing", shape: "jump", seenAfter: 6, stepTimeS: 105, gpus: 384, logEvery: 1, right: "wait" },
  { id: "bs13b-1", state: "ongoing", shape: "jump", seenAfter: 40, stepTimeS: 25, gpus: 256, logEvery: 10, right: "wait" },
  { id: "glm-0612", state: "diverged", shape: "jump", seenAfter: 60, stepTimeS: 60, gpus: 768, logEvery: 1, right: "rollback" },
  { id: "glm-0620", state: "diverged", shape: "jump", seenAfter: 40, stepTimeS: 60, gpus: 768, logEvery: 1, right: "rollback" },
  { id: "glm-0528a", state: "non-finite", shape: "jump", seenAfter: 5, stepTimeS: 60, gpus: 768, logEvery: 1, right: "rollback" },
];

describe("documented cases", () => {
  for (const known of CASES) {
    it.skipIf(missing)(`${known.id}: ${known.right} was right${missing ? " (skipped: the corpus is absent)" : ""}`, () => {
      const row = readCases(file).find((candidate) => candidate["case_id"] === known.id);
      if (row === undefined) throw new Error(`${known.id} is not in cases.csv`);
      const onsetStep = Number(row["spike_start_step"]);
      const every = Number(row["checkpoint_interval"]);
      const advice = proposeAdvice(
        anInput({
          findings: [
            aFinding({
              onsetStep,
              state: known.state,
              shape: known.shape,
              onsetLowerStep: onsetStep - known.logEvery,
              severity: "critical",
            }),
          ],
          checkpoints: Array.from({ length: 20 }, (_, index) =>
            aCheckpoint((Math.floor((onsetStep + known.seenAfter) / every) - index) * every),
          ),
          lastStep: onsetStep + known.seenAfter,
          stepTimeS: known.stepTimeS,
          gpus: known.gpus,
          logEvery: known.logEvery,
        }),
      );
      expect(advice.action).toBe(known.right);
      const taken = row["rollback_to_step"] ?? "";
      if (known.right === "rollback" && taken !== "") expect(advice.checkpointStep).toBe(Number(taken));
    });
  }
});

/** Rows by column name. The file quotes fields that hold commas. */
function readCases(path: string): readonly Readonly<Record<string, string>>[] {
  const [head = "", ...lines] = readFileSync(path, "utf8").trim().split("\n");
  const names = fields(head);
  return lines.map((line) => Object.fromEntries(fields(line).map((value, index) => [names[index] ?? "", value])));
}

function fields(line: string): readonly string[] {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map((match) => match[1]?.replaceAll('""', '"') ?? match[2] ?? "");
}
