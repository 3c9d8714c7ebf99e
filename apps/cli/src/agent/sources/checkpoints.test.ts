import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkpointSchema } from "@trainwatch/core";
import type { Checkpoint } from "@trainwatch/core";
import { proposeAdvice } from "@trainwatch/decide";
import { describe, expect, it, onTestFinished } from "vitest";
import { WRITTEN_LAYOUTS, writeCheckpoint } from "../checkpoints/write-checkpoint.fixture.ts";
import type { WrittenLayout } from "../checkpoints/write-checkpoint.fixture.ts";
import { RUNNING, createSourceWorld } from "../source-world.fixture.ts";
import type { TestSourceWorld } from "../source-world.fixture.ts";
import type { Source } from "../source.ts";
import { checkpoints } from "./checkpoints.ts";
import { defineSource } from "./define-source.ts";

async function watched(options: object = {}): Promise<{ readonly dir: string; readonly world: TestSourceWorld; readonly source: Source }> {
  const dir = await mkdtemp(join(tmpdir(), "trainwatch-checkpoints-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  // The files are written now: what is settled is told by the clock.
  const world = createSourceWorld("checkpoints", Date.now());
  return { dir, world, source: open(dir, world, options) };
}

function open(dir: string, world: TestSourceWorld, options: object = {}): Source {
  const answer = defineSource(checkpoints).configure({ kind: "checkpoints", dir, run: "lab/base", settle: "60s", ...options });
  if (!answer.ok) throw new Error(JSON.stringify(answer.issues));
  return answer.source.open(world);
}

/** Looks until nothing has moved for long enough. */
async function settle(world: TestSourceWorld, source: Source): Promise<void> {
  await source.collect(RUNNING);
  world.clock.advance(61_000);
  await source.collect(RUNNING);
}

/** The newest word about each checkpoint. */
function said(world: TestSourceWorld): readonly Checkpoint[] {
  const words = new Map<number, Checkpoint>();
  for (const { pushes } of world.taken)
    for (const push of pushes ?? [])
      for (const checkpoint of push.checkpoints ?? []) words.set(checkpoint.step, checkpointSchema.parse({ attempt: "a1", ...checkpoint }));
  return [...words.values()];
}

const states = (world: TestSourceWorld): unknown => said(world).map(({ step, state, reason }) => [step, state, reason]);
const [megatron] = WRITTEN_LAYOUTS;
const layoutOf = (id: string): WrittenLayout => {
  const found = WRITTEN_LAYOUTS.find((layout) => layout.id === id);
  if (found === undefined) throw new Error(`no layout ${id}`);
  return found;
};

describe("checkpoints", () => {
  it.each(WRITTEN_LAYOUTS.map((layout) => [layout.id, layout] as const))(
    "C8: a run with %s checkpoints rolls back to the complete one, and the advice says why not each other, whatever `latest` says",
    async (_id, layout) => {
      const { dir, world, source } = await watched();
      await writeCheckpoint(dir, layout, 1_000);
      await writeCheckpoint(dir, layout, 2_000, { [layout.shard]: null });
      await writeCheckpoint(dir, layout, 3_000, { [layout.shard]: "" });
      await writeCheckpoint(dir, layout, 4_000, Object.fromEntries(layout.metadata.map((name) => [name, null])));
      await layout.point(dir, 4_000);
      await settle(world, source);
      const advice = proposeAdvice({
        findings: [divergence(2_500)],
        attempt: "a1",
        checkpoints: said(world),
        checkpointEvery: null,
        firstStep: 1,
        lastStep: 4_100,
        stepTimeS: 5,
        gpus: 64,
        logEvery: 1,
        earlier: [],
        seed: 7,
      });
      expect(advice).toMatchObject({ action: "rollback", checkpointStep: 1_000 });
      expect(advice.rejected.map(({ step }) => step)).toEqual([4_000, 3_000, 2_000]);
      const [why4000, why3000, why2000] = advice.rejected.map(({ why }) => why);
      expect(why4000).toMatch(/metadata absent: .*points here all the same/);
      expect(why3000).toMatch(new RegExp(`1 shard of 0 bytes: ${layout.shard}`));
      expect(why2000).toMatch(new RegExp(`1 shard missing: .*${layout.shard.split("/").at(-1)}`));
    },
  );

  it("says nothing of a folder as long as something in it changes", async () => {
    const { dir, world, source } = await watched();
    await writeCheckpoint(dir, layoutOf("dcp"), 100, { "__1_1.distcp": null, ".metadata": null });
    await source.collect(RUNNING);
    world.clock.advance(40_000);
    await writeCheckpoint(dir, layoutOf("dcp"), 100);
    await source.collect(RUNNING);
    world.clock.advance(40_000);
    await source.collect(RUNNING);
    expect(said(world)).toEqual([]);
    world.clock.advance(21_000);
    await source.collect(RUNNING);
    expect(states(world)).toEqual([[100, "unchecked", "all 4 shards and the metadata are there"]]);
  });

  it("judges old folders at the first look, says each word once, also over a restart, and a new word when it changes", async () => {
    const { dir, world, source } = await watched();
    await writeCheckpoint(dir, layoutOf("dcp"), 100, { "__1_1.distcp": null });
    world.clock.advance(120_000);
    await source.collect(RUNNING);
    await source.collect(RUNNING);
    const again = open(dir, world);
    await again.collect(RUNNING);
    expect(world.taken).toHaveLength(1);
    expect(states(world)).toEqual([[100, "incomplete", "1 shard missing: __1_1.distcp"]]);
    await writeFile(join(dir, "step-100/__1_1.distcp"), "weights");
    await settle(world, again);
    expect(states(world)).toEqual([[100, "unchecked", "all 4 shards and the metadata are there"]]);
  });

  it("says that a checkpoint is gone, and nothing where the whole directory is", async () => {
    const { dir, world, source } = await watched();
    await writeCheckpoint(dir, layoutOf("olmo"), 100);
    await writeCheckpoint(dir, layoutOf("olmo"), 200);
    await settle(world, source);
    await rm(join(dir, "step100"), { recursive: true });
    await source.collect(RUNNING);
    expect(said(world)).toMatchObject([
      { step: 100, state: "incomplete", reason: "no longer on the disk" },
      { step: 200, state: "unchecked" },
    ]);
    await rm(dir, { recursive: true });
    await expect(source.collect(RUNNING)).rejects.toThrow("cannot be read");
    expect(said(world)).toMatchObject([{ step: 100 }, { step: 200, state: "unchecked" }]);
  });

  it("asks the neighbours where a layout does not say how many shards there are, and believes a new shape that comes twice", async () => {
    const legacy: WrittenLayout = {
      ...layoutOf("megatron"),
      files: Object.fromEntries([0, 1, 2, 3].map((rank) => [`mp_rank_0${rank}/model_optim_rng.pt`, "weights"])),
    };
    const { dir, world, source } = await watched();
    await writeCheckpoint(dir, legacy, 100);
    await writeCheckpoint(dir, legacy, 200, { "mp_rank_03/model_optim_rng.pt": null });
    await writeCheckpoint(dir, legacy, 300, { "mp_rank_01/model_optim_rng.pt": null });
    await settle(world, source);
    expect(states(world)).toEqual([
      [100, "unchecked", "all 4 shards and the metadata are there"],
      [200, "incomplete", "3 shards where step 100 has 4"],
      [300, "incomplete", "1 shard missing: mp_rank_01/model_optim_rng.pt"],
    ]);
  });

  it.each([
    ["a temporary file", "dcp", { "__0_0.distcp.tmp": "half" }, /not finished: __0_0.distcp.tmp/],
    ["no shard at all", "dcp", Object.fromEntries(Object.keys(layoutOf("dcp").files).map((name) => [name, null])), null],
    ["an empty metadata file", "olmo", { "config.json": "" }, /metadata absent: config.yaml or config.json/],
    ["a rank without its state", "olmo", { "train/rank0.pt": null }, /1 shard missing: train\/rank0.pt/],
    [
      "no weights",
      "huggingface",
      Object.fromEntries(
        Object.keys(layoutOf("huggingface").files)
          .filter((name) => name.startsWith("model"))
          .map((name) => [name, null]),
      ),
      /1 shard missing: model.safetensors/,
    ],
    ["a part without its index", "huggingface", { "model.safetensors.index.json": null }, /metadata absent: model.safetensors.index.json/],
  ])("calls a checkpoint with %s incomplete (%s)", async (_what, id, over, why) => {
    const { dir, world, source } = await watched();
    await writeCheckpoint(dir, layoutOf(id), 100, over);
    await settle(world, source);
    if (why === null) return expect(said(world)).toEqual([]);
    expect(said(world)).toMatchObject([{ step: 100, state: "incomplete", reason: expect.stringMatching(why) }]);
  });

  it("looks at one layout only where it is told which", async () => {
    const { dir, world } = await watched();
    await writeCheckpoint(dir, layoutOf("dcp"), 100);
    if (megatron !== undefined) await writeCheckpoint(dir, megatron, 200);
    await settle(world, open(dir, world, { layout: "megatron" }));
    expect(said(world).map(({ step }) => step)).toEqual([200]);
  });
});

function divergence(onsetStep: number): Parameters<typeof proposeAdvice>[0]["findings"][number] {
  return {
    id: "f-loss",
    fingerprint: "loss-a1",
    detector: "level-shift",
    version: 1,
    attempt: "a1",
    metric: "loss",
    subject: { kind: "run", id: "lab/base" },
    severity: "critical",
    state: "diverged",
    onsetStep,
    onsetLowerStep: onsetStep - 1,
    detectedStep: onsetStep + 4,
    peakStep: onsetStep + 3,
    endStep: null,
    onsetTimeMs: null,
    detectedTimeMs: null,
    shape: "jump",
    peakValue: 4.8,
    baselineValue: 2,
    levelShift: null,
    summary: "",
    evidence: [],
    endTimeMs: null,
    place: null,
    facts: [],
  };
}
