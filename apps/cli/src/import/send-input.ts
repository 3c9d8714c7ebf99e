import type { Readable } from "node:stream";
import type { LogRecord } from "@trainwatch/core";
import type { CommandIo } from "../frame/io.ts";
import type { InputFault } from "../inputs/input-fault.ts";
import { openLog } from "../inputs/open-log.ts";
import type { PlannedRun } from "../inputs/plan-runs.ts";
import { readLog } from "../inputs/read-log.ts";
import type { RunName } from "../inputs/run-name.ts";
import { RunSplitter } from "../inputs/run-splitter.ts";
import type { ReadSettings } from "../inputs/read-settings.ts";
import { BlockSender } from "./block-sender.ts";
import type { SendSum } from "./block-sender.ts";
import type { LogBlock } from "./log-block.ts";
import { LogCutter } from "./log-cutter.ts";
import type { PushClient } from "./push-client.ts";

/** What became of one run of one input; most inputs hold one. */
export interface SentInput extends SendSum {
  readonly run: RunName;
  readonly path: string;
  /** Values without a step and a time, or of more series than a run may have: not sent. */
  readonly unplaced: number;
  /** Places in the log that could not be read. */
  readonly issues: number;
}

export interface SendOptions {
  readonly plan: PlannedRun;
  readonly path: string;
  readonly settings: ReadSettings;
  onProgress(values: number): void;
}

interface Lane {
  readonly run: RunName;
  readonly cutter: LogCutter;
  readonly sender: BlockSender;
  readonly queue: LogBlock[];
}

export interface Sending {
  readonly sent: readonly SentInput[];
  /** Why it is nothing, or not all. */
  readonly fault: InputFault | null;
}

/** Streams one input to the server, one push at a time: memory stays bounded, and order is kept. Of one that breaks off, what came before is sent. */
export async function sendInput(options: SendOptions, client: PushClient, io: CommandIo, stdin: Readable): Promise<Sending> {
  const { path, plan, settings } = options;
  const opening = await openLog(path, stdin, settings.format);
  if (!opening.ok) return { sent: [], fault: opening.fault };
  const lanes = new Lanes(plan, client);
  const drain = async (): Promise<void> => options.onProgress(await lanes.drain());
  const outcome = await readLog(path, opening.log, settings.parse, io, (record) => lanes.take(record), drain);
  await lanes.end();
  const sent = lanes.answers().map((answer, index) => ({ ...answer, path, issues: index === 0 ? outcome.issues.total : 0 }));
  return { sent, fault: outcome.fault };
}

class Lanes {
  private readonly lanes = new Map<string, Lane>();
  private readonly splitter: RunSplitter;
  private readonly client: PushClient;

  constructor(plan: PlannedRun, client: PushClient) {
    this.splitter = new RunSplitter(plan, plan.isNamed);
    this.client = client;
  }

  take(record: LogRecord): void {
    const routed = this.splitter.route(record);
    const lane = this.laneOf(routed.run);
    lane.queue.push(...lane.cutter.take(routed.record));
  }

  /** Sends what is full; answers how many values the server has answered for. */
  async drain(): Promise<number> {
    let values = 0;
    for (const { queue, sender } of this.lanes.values()) {
      for (const block of queue.splice(0)) await sender.send(block);
      values += sender.answer().accepted + sender.answer().repeated;
    }
    return values;
  }

  async end(): Promise<void> {
    await this.drain();
    for (const { cutter, sender } of this.lanes.values()) {
      const rest = cutter.rest();
      if (rest !== null) await sender.sendLast(rest);
    }
  }

  answers(): readonly Omit<SentInput, "path" | "issues">[] {
    return [...this.lanes.values()].map(({ run, cutter, sender }) => ({
      run,
      ...sender.answer(),
      unplaced: cutter.unplaced + cutter.omitted,
    }));
  }

  private laneOf(run: RunName): Lane {
    const held = this.lanes.get(run.name);
    if (held !== undefined) return held;
    const fresh: Lane = {
      run,
      cutter: new LogCutter({ project: run.project, name: run.name }),
      sender: new BlockSender(this.client),
      queue: [],
    };
    this.lanes.set(run.name, fresh);
    return fresh;
  }
}
