import { createHash } from "node:crypto";
import { join } from "node:path";
import { AppError } from "@trainwatch/core";
import type { PushInput } from "@trainwatch/core";
import { z } from "zod";
import { findCheckpoints } from "../checkpoints/find-checkpoints.ts";
import type { FoundCheckpoint } from "../checkpoints/find-checkpoints.ts";
import { judge } from "../checkpoints/judge.ts";
import { CHECKPOINT_LAYOUTS } from "../checkpoints/layouts.ts";
import type { CheckpointFolder } from "../checkpoints/layout.ts";
import { readFolder } from "../checkpoints/read-folder.ts";
import { durationSchema } from "../config/units.ts";
import { messageOf } from "../message-of.ts";
import type { Source, SourceDefinition, SourceOptions, SourceWorld } from "../source.ts";
import { sourceOptions } from "./options.ts";
import { runSchema } from "./run-option.ts";

interface CheckpointsOptions extends SourceOptions {
  readonly dir: string;
  readonly run: { readonly project: string; readonly name: string };
  readonly layout: string;
  readonly settle: number;
}

export const checkpoints = {
  kind: "checkpoints",
  title: "Watches a directory of checkpoints: complete only when every shard and the metadata are there, not empty and settled.",
  options: z.strictObject({
    ...sourceOptions("checkpoints", "30s"),
    dir: z.string().min(1).describe("holds one folder a checkpoint"),
    run: runSchema.describe("PROJECT/NAME of the run that saves there"),
    layout: z
      .enum(["auto", ...CHECKPOINT_LAYOUTS.map(({ id }) => id)])
      .default("auto")
      .describe("how they are laid down; `auto` tells by the folders' names"),
    settle: durationSchema.prefault("60s").describe("how long nothing in a folder may have changed before it is judged"),
  }),
  create: (options, world) => new Checkpoints(options, world),
} as const satisfies SourceDefinition<CheckpointsOptions>;

type Word = NonNullable<PushInput["checkpoints"]>[number];

/** What `ingest.push` takes at most. */
const WORDS_A_PUSH = 1_000;
const GONE = "no longer on the disk";

const stateSchema = z.record(z.string(), z.object({ state: z.enum(["unchecked", "incomplete"]), reason: z.string() }));

/** A folder that was judged is looked through again so often: a thousand folders of a thousand shards each are a burden on a file server. */
const LOOK_AGAIN_MS = 600_000;

interface Look {
  readonly signature: string;
  /** Monotonic: since when it has been like this, and when it was last looked through. */
  readonly sinceMs: number;
  readonly atMs: number;
  readonly shards: number;
  readonly word: Word | null;
}

class Checkpoints implements Source {
  private readonly options: CheckpointsOptions;
  private readonly world: SourceWorld;
  private readonly layouts: (typeof CHECKPOINT_LAYOUTS)[number][];
  private looks = new Map<string, Look>();
  /** By step, what was last said. */
  private said: Map<string, z.infer<typeof stateSchema>[string]>;

  constructor(options: CheckpointsOptions, world: SourceWorld) {
    this.options = options;
    this.world = world;
    this.layouts = CHECKPOINT_LAYOUTS.filter(({ id }) => options.layout === "auto" || id === options.layout);
    this.said = new Map(Object.entries(stateSchema.safeParse(world.state()).data ?? {}));
  }

  async collect(): Promise<void> {
    const { dir } = this.options;
    const found = await findCheckpoints(dir, this.layouts).catch((cause: unknown) => {
      throw new AppError("unavailable", `${dir} cannot be read: ${messageOf(cause)}`, { cause });
    });
    const looks = new Map<string, Look>();
    for (const checkpoint of found.checkpoints) looks.set(checkpoint.folder, await this.look(checkpoint, looks, found.pointed));
    this.looks = looks;
    const words = new Map<number, Word>();
    for (const { word } of looks.values()) {
      // One step saved in two forms (sharded and whole) is there as soon as one of them is.
      if (word !== null && words.get(word.step)?.state !== "unchecked") words.set(word.step, word);
    }
    const there = new Set(found.checkpoints.map(({ step }) => String(step)));
    const gone = [...this.said.keys()].filter((step) => !there.has(step));
    await this.say([...words.values(), ...gone.map((step): Word => ({ step: Number(step), state: "incomplete", reason: GONE }))]);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private async look(
    { folder, step, layout }: FoundCheckpoint,
    before: ReadonlyMap<string, Look>,
    pointed: ReadonlyMap<number, string>,
  ): Promise<Look> {
    const last = this.looks.get(folder);
    const nowMs = this.world.clock.monotonicMs();
    if (last !== undefined && last.word?.state === "unchecked" && nowMs - last.atMs < LOOK_AGAIN_MS) return last;
    const path = join(this.options.dir, folder);
    const content = await readFolder(path);
    const changedMs = Math.max(0, ...content.files.map((file) => file.changedMs));
    const signature = signatureOf(content);
    const sinceMs = last?.signature === signature ? last.sinceMs : nowMs;
    const isSettled =
      nowMs - sinceMs >= this.options.settle || (last === undefined && this.world.clock.now() - changedMs >= this.options.settle);
    if (!isSettled) return { signature, sinceMs, atMs: nowMs, shards: 0, word: null };
    const inspection = await layout.inspect(content);
    const { isComplete, reason } = judge(content.files, inspection, neighbourOf(inspection.shards.length, before));
    const pointer = isComplete ? undefined : pointed.get(step);
    const why = pointer === undefined ? reason : `${reason}; \`${pointer}\` points here all the same`;
    const word: Word = { step, path, state: isComplete ? "unchecked" : "incomplete", reason: why, savedAtMs: Math.round(changedMs) };
    return { signature, sinceMs, atMs: nowMs, shards: inspection.shards.length, word };
  }

  private async say(words: readonly Word[]): Promise<void> {
    const fresh = words.filter(({ step, state, reason }) => {
      const said = this.said.get(String(step));
      return said?.state !== state || said?.reason !== reason;
    });
    for (let at = 0; at < fresh.length; at += WORDS_A_PUSH) {
      const some = fresh.slice(at, at + WORDS_A_PUSH);
      const said = new Map(this.said);
      for (const { step, state, reason } of some) {
        if (reason === GONE) said.delete(String(step));
        else said.set(String(step), { state: state === "incomplete" ? "incomplete" : "unchecked", reason: reason ?? "" });
      }
      await this.world.take({ pushes: [{ run: this.options.run, checkpoints: some }], state: Object.fromEntries(said) });
      this.said = said;
    }
  }
}

function signatureOf({ files }: CheckpointFolder): string {
  const hash = createHash("sha256");
  for (const { path, bytes, changedMs } of files) hash.update(`${path}\n${bytes} ${changedMs}\n`);
  return hash.digest("base64");
}

/** The newest complete one before it that has more shards, unless another has as few: then the run has changed its shape. */
function neighbourOf(shards: number, before: ReadonlyMap<string, Look>): { readonly step: number; readonly shards: number } | null {
  const complete = [...before.values()].flatMap(({ word, shards: count }) =>
    word?.state === "unchecked" ? [{ step: word.step, shards: count }] : [],
  );
  if (complete.some((each) => each.shards === shards)) return null;
  return complete.findLast((each) => each.shards > shards) ?? null;
}
