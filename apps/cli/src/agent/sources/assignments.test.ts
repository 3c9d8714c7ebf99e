import { appendFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { RUNNING, createSourceWorld } from "../source-world.fixture.ts";
import type { TestSourceWorld } from "../source-world.fixture.ts";
import type { Source } from "../source.ts";
import { assignments } from "./assignments.ts";
import { defineSource } from "./define-source.ts";

const run = "lab/base";

function open(world: TestSourceWorld, options: Readonly<Record<string, unknown>>): Source {
  const answer = defineSource(assignments).configure(options);
  if (!answer.ok) throw new Error(JSON.stringify(answer));
  const source = answer.source.open(world);
  onTestFinished(() => source.close());
  return source;
}

async function folder(files: Readonly<Record<string, string>>): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "trainwatch-assignments-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(dir, name)), { recursive: true });
    await writeFile(join(dir, name), content);
  }
  return dir;
}

const assigned = (world: TestSourceWorld) => world.taken.flatMap(({ pushes }) => (pushes ?? []).flatMap((push) => push.assignments ?? []));

/** `environ` of a process. */
const environ = (entries: Readonly<Record<string, string>>): string =>
  Object.entries(entries)
    .map(([name, value]) => `${name}=${value}\u0000`)
    .join("");

describe("assignments", () => {
  it("come line by line from a file", async () => {
    const dir = await folder({ "ranks.jsonl": '{"rank":0,"gpuUuid":"GPU-a","node":"n1"}\nnonsense\n{"rank":1' });
    const world = createSourceWorld();
    const source = open(world, { kind: "assignments", run, file: join(dir, "ranks.jsonl") });
    await source.collect(RUNNING);
    await appendFile(join(dir, "ranks.jsonl"), ',"gpuUuid":"GPU-b"}\n');
    await source.collect(RUNNING);
    expect(assigned(world)).toEqual([
      { rank: 0, gpuUuid: "GPU-a", node: "n1" },
      { rank: 1, gpuUuid: "GPU-b" },
    ]);
    expect(world.said[0]).toContain("nonsense");
  });

  it("come from the environment of the ranks, with the GPU behind the visible device, and again only when they change", async () => {
    const started = (ticks: number): string => `1 (python (x) 3) S ${Array.from({ length: 18 }, () => 0).join(" ")} ${ticks} 0`;
    const gpu = (uuid: string): string => `Model: \t\t NVIDIA H100\nGPU UUID: \t ${uuid}\n`;
    const dir = await folder({
      stat: "cpu 1\nbtime 1764000000\n",
      "driver/nvidia/gpus/0000:3b:00.0/information": gpu("GPU-first"),
      "driver/nvidia/gpus/0000:5e:00.0/information": gpu("GPU-second"),
      "10/environ": environ({ RANK: "8", LOCAL_RANK: "0", SLURM_JOB_ID: "77", AWS_SECRET: "no" }),
      "10/stat": started(500),
      "11/environ": environ({ RANK: "8", LOCAL_RANK: "0" }),
      "11/stat": started(900),
      "12/environ": environ({ SLURM_PROCID: "9", SLURM_LOCALID: "1", CUDA_VISIBLE_DEVICES: "1,0" }),
      "12/stat": started(600),
      "13/environ": environ({ PATH: "/bin" }),
    });
    const world = createSourceWorld();
    const source = open(world, { kind: "assignments", run, proc: dir });
    await source.collect(RUNNING);
    await source.collect(RUNNING);
    expect(assigned(world)).toEqual([
      { rank: 8, node: "machine-1", gpuUuid: "GPU-first", gpuIndex: 0, from: 1_764_000_005_000, slurmJobId: "77" },
      { rank: 9, node: "machine-1", gpuUuid: "GPU-first", gpuIndex: 0, from: 1_764_000_006_000 },
    ]);
  });

  it("are those of the job that the configuration names, also where another has the same ranks", async () => {
    const dir = await folder({
      stat: "btime 1764000000\n",
      "10/environ": environ({ RANK: "0", LOCAL_RANK: "0", SLURM_JOB_ID: "77" }),
      "11/environ": environ({ RANK: "0", LOCAL_RANK: "1", SLURM_JOB_ID: "78" }),
      "12/environ": environ({ RANK: "1", LOCAL_RANK: "2" }),
    });
    const world = createSourceWorld();
    await open(world, { kind: "assignments", run, proc: dir, environment: { SLURM_JOB_ID: 78 } }).collect(RUNNING);
    expect(assigned(world).map(({ rank, gpuIndex, slurmJobId }) => [rank, gpuIndex, slurmJobId])).toEqual([[0, 1, "78"]]);
  });

  it("refuse an environment where nothing has one", () => {
    const answer = defineSource(assignments).configure({
      kind: "assignments",
      run,
      file: "ranks.jsonl",
      environment: { SLURM_JOB_ID: "78" },
    });
    expect(JSON.stringify(answer)).toContain("`environment` needs `proc`");
  });
});
