import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { judgeMeasurements } from "@trainwatch/detect";
import { detectMeasurements } from "@trainwatch/formats";
import { describe, expect, it } from "vitest";
import { CORPUS_FOLDER } from "./corpus-folder.ts";

const FOLDER = join(CORPUS_FOLDER, "node_health");
const hasFolder = existsSync(FOLDER);

/** Format, number of values, and what is worth a look in a file. */
function read(file: string): {
  readonly format: string | null;
  readonly values: number;
  readonly odd: readonly string[];
  readonly all: readonly string[];
} {
  const bytes = readFileSync(join(FOLDER, file));
  const format = detectMeasurements(bytes.subarray(0, 1 << 16));
  const tables = format?.read(bytes.toString("utf8")).tables ?? [];
  const facts = tables.flatMap((table) => judgeMeasurements(table));
  return {
    format: format?.id ?? null,
    values: tables.reduce((sum, { rows }) => sum + rows.length, 0),
    odd: facts.filter(({ isOdd }) => isOdd).map(({ text }) => text),
    all: facts.map(({ text }) => text),
  };
}

/** Numbers that stand on lines of a pattern, counted apart from the reader. */
const linesOf = (file: string, pattern: RegExp): number => readFileSync(join(FOLDER, file), "utf8").match(pattern)?.length ?? 0;

describe("allreduce tables, bandwidth matrices and fail-slow logs of real machines", () => {
  it.skipIf(!hasFolder).each([
    ["nccl_tests_allreduce.log", "Out-of-place: up to 235 GB/s at 8 GiB; half of that from 16 MiB on"],
    ["nccl_tests_reducescatter.log", "Out-of-place: up to 232 GB/s at 8 GiB; half of that from 32 MiB on"],
    ["nccl_tests_allreduce_8xB200.txt", "Out-of-place: 389 GB/s at 38.3 MiB, the only size measured"],
  ])("needs the corpus: %s has nothing odd, and every row with a size is read", (file, fact) => {
    const { format, values, odd, all } = read(file);
    expect([format, odd]).toEqual(["nccl-tests", []]);
    expect(all).toContain(fact);
    expect(values).toBe(2 * linesOf(file, /^ +[1-9]\d* +\d+ +(?:float|half) /gm));
  });

  it.skipIf(!hasFolder)("needs the corpus: 32 A100 of four nodes all-reduce alike; only their first trial is slow", () => {
    const file = "bigscience_allreduce_a100_4nodes.txt";
    const { format, values, odd, all } = read(file);
    expect([format, odd]).toEqual(["all-reduce-bench", []]);
    expect(values).toBe(linesOf(file, /^ *duration: [\d.]+ sec$/gm) + linesOf(file, /^ *busbw: [\d.]+ +Gbps$/gm));
    expect(all).toContain("Round 1 is worse for all: ×2.68 of the usual 1.53 s; as the first round it may be a warm-up");
    expect(all).toContain("Round 5: median 1.53 s of 32, from 1.53 to 1.53 s");
  });

  it.skipIf(!hasFolder)("needs the corpus: nvbandwidth's matrices are read, and none has a cell that stands out", () => {
    expect(read("nvbandwidth_results.log")).toMatchObject({ format: "nvbandwidth", values: 21, odd: [] });
  });

  it.skipIf(!hasFolder)(
    "needs the corpus: the probes of a fail-slow name rank 1, by its computing and by the one link that became slower",
    () => {
      expect(read("greyhound_failslow/global_controller_localhost.log").odd).toEqual([
        "Rank 1 stands out in round 2: 515 ms where its peers have 65.7 ms (×7.85, 685 robust deviations)",
        "Ranks 0 and 1: 16.3 ms in round 1, 20.1 ms later (+24 %)",
      ]);
    },
  );

  it.skipIf(!hasFolder)("needs the corpus: iteration times say from when on the fail-slow lasted", () => {
    expect(read("greyhound_failslow/local_controller_0.log").odd).toEqual([
      "Slow for all from 2025-05-04 14:21:22 by its own clock on, to the end: up to 1.33 s where 1.13 s was usual (×1.18), 2 times in a row",
    ]);
  });

  it.skipIf(!hasFolder)(
    "needs the corpus: three of ten workers of one job are slower throughout, and none of the other job's stands out",
    () => {
      expect(read("alibaba_minibatch_time_job1.csv").odd).toEqual([
        "Worker 0 stands out: 476 where its peers have 429 (×1.11, 11 robust deviations)",
        "Worker 1 stands out: 471 where its peers have 429 (×1.10, 9 robust deviations)",
        "Worker 2 stands out: 466 where its peers have 429 (×1.09, 8 robust deviations)",
      ]);
      expect(read("alibaba_minibatch_time_job2.csv")).toMatchObject({ values: 2_402, odd: [] });
    },
  );

  it.skipIf(!hasFolder)("needs the corpus: what holds no measurement is told for none", () => {
    for (const file of [
      "greyhound_failslow/ncclprobe.log",
      "greyhound_failslow/megatron_output_0.log",
      "gpu_burn.log",
      "fabricmanager.log",
    ])
      expect([file, read(file).format]).toEqual([file, null]);
  });
});
