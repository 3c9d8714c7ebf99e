import type { Readable } from "node:stream";
import { AppError } from "@trainwatch/core";
import type { PushAnswer } from "@trainwatch/core";
import type { CommandIo } from "../frame/io.ts";
import { openLog } from "../inputs/open-log.ts";
import { isCumulative } from "../inputs/plan-runs.ts";
import { readLog } from "../inputs/read-log.ts";
import type { RepeatFilter } from "../inputs/repeat-filter.ts";
import type { RunName } from "../inputs/run-name.ts";
import type { InspectSettings } from "../inspect/inspect-inputs.ts";
import { PushBatcher } from "./push-batcher.ts";
import type { PushBody } from "./push-batcher.ts";
import type { PushClient } from "./push-client.ts";

/** Refusals shown per input; all are counted. */
const SHOWN_REFUSALS = 5;

/** What the server said to all pushes of one input. */
export interface SentInput {
  readonly path: string;
  readonly pushes: number;
  accepted: number;
  /** Known to the server before, or told by an earlier input of the run. */
  repeated: number;
  missing: number;
  refused: number;
  flagged: number;
  /** Values without a step or a time, or of more series than a run may have: not sent. */
  unplaced: number;
  readonly refusals: string[];
  readonly attempts: string[];
  issues: number;
  runId: number | null;
}

export interface SendOptions {
  readonly run: RunName;
  readonly path: string;
  /** Identity of what is sent; numbers of pushes count within it. */
  readonly source: string;
  readonly settings: InspectSettings;
  readonly repeats: RepeatFilter | null;
  onProgress(values: number): void;
}

/** Streams one input to the server, one push at a time: memory stays bounded, and order is kept. */
export async function sendInput(options: SendOptions, client: PushClient, io: CommandIo, stdin: Readable): Promise<SentInput> {
  const opening = await openLog(options.path, stdin, options.settings.format);
  if (!opening.ok) throw new AppError("unreadable-input", opening.fault.message);
  const batcher = new PushBatcher(options.run);
  const sender = new Sender(options, client);
  const filter = options.repeats !== null && isCumulative(opening.log.format) ? options.repeats : null;
  const repeatedBefore = filter?.repeated ?? 0;
  const queue: PushBody[] = [];
  const drain = async (): Promise<void> => {
    for (const body of queue.splice(0)) await sender.send(body);
  };
  const outcome = await readLog(
    options.path,
    opening.log,
    options.settings.parse,
    io,
    (record) => {
      const kept = filter === null ? record : filter.pass(record);
      if (kept !== null) queue.push(...batcher.take(kept));
    },
    drain,
  );
  await drain();
  const rest = batcher.rest();
  if (rest !== null) await sender.send(rest);
  if (outcome.fault !== null) throw new AppError("unreadable-input", outcome.fault.message);
  return {
    ...sender.answer(),
    unplaced: batcher.unplaced + batcher.omitted,
    repeated: sender.answer().repeated + (filter?.repeated ?? 0) - repeatedBefore,
    issues: outcome.issues.total,
  };
}

class Sender {
  private seq = 0;
  private readonly sum: SentInput & { pushes: number };
  private readonly options: SendOptions;
  private readonly client: PushClient;

  constructor(options: SendOptions, client: PushClient) {
    this.options = options;
    this.client = client;
    this.sum = {
      path: options.path,
      pushes: 0,
      accepted: 0,
      repeated: 0,
      missing: 0,
      refused: 0,
      flagged: 0,
      unplaced: 0,
      refusals: [],
      attempts: [],
      issues: 0,
      runId: null,
    };
  }

  async send(body: PushBody): Promise<void> {
    this.add(await this.client.push({ source: this.options.source, seq: this.seq++, ...body }));
    this.options.onProgress(this.sum.accepted + this.sum.repeated);
  }

  answer(): SentInput {
    return this.sum;
  }

  private add(answer: PushAnswer): void {
    const { sum } = this;
    sum.pushes++;
    sum.accepted += answer.accepted;
    sum.repeated += answer.repeated;
    sum.missing += answer.missing;
    sum.refused += answer.refusedTotal;
    sum.flagged += answer.flagged.length;
    sum.runId = answer.runId;
    if (!sum.attempts.includes(answer.attempt)) sum.attempts.push(answer.attempt);
    for (const refusal of answer.refused) if (sum.refusals.length < SHOWN_REFUSALS) sum.refusals.push(refusal.message);
  }
}
