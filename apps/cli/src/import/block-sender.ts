import { textHash } from "@trainwatch/core";
import type { PushAnswer } from "@trainwatch/core";
import { blockAfter, blockDigests, isEmptyBlock, pushBodyOf, splitAtLastPoints } from "./log-block.ts";
import type { LogBlock } from "./log-block.ts";
import type { PushClient } from "./push-client.ts";

/** Refusals shown per input; all are counted. */
const SHOWN_REFUSALS = 5;

/** What became of the blocks of one input. */
export interface SendSum {
  readonly pushes: number;
  readonly accepted: number;
  /** Stored by an earlier import, or known to the server by their values. */
  readonly repeated: number;
  readonly missing: number;
  readonly refused: number;
  readonly flagged: number;
  readonly refusals: readonly string[];
  readonly attempts: readonly string[];
  readonly runId: number | null;
}

const NOTHING: SendSum = {
  pushes: 0,
  accepted: 0,
  repeated: 0,
  missing: 0,
  refused: 0,
  flagged: 0,
  refusals: [],
  attempts: [],
  runId: null,
};

/**
 * Sends the blocks of one log, in order. Each push goes under a source that names the log up to its end (`log:<hash>`), so the server can
 * tell how much of the log earlier imports brought: that is passed over, and only what has been added since is sent.
 */
export class BlockSender {
  private sum: SendSum = NOTHING;
  /** Once something of the log is new, all that follows is. */
  private isAsking = true;
  private readonly client: PushClient;

  constructor(client: PushClient) {
    this.client = client;
  }

  /** A block that others follow. */
  async send(block: LogBlock): Promise<void> {
    const fresh = this.isAsking ? await this.withoutKnown(block) : block;
    this.sum = { ...this.sum, repeated: this.sum.repeated + block.values - fresh.values };
    await this.push(fresh);
  }

  /** The last block. What stands behind its last points goes apart: a log that grows ends elsewhere the next time. */
  async sendLast(block: LogBlock): Promise<void> {
    const { points, tail } = splitAtLastPoints(block);
    await this.send(points);
    await this.push(tail);
  }

  answer(): SendSum {
    return this.sum;
  }

  private async withoutKnown(block: LogBlock): Promise<LogBlock> {
    const digests = blockDigests(block);
    const last = digests.at(-1);
    if (last === undefined) return block;
    const known = new Set(await this.client.known(digests.map(logSource)));
    const newest = digests.findLast((digest) => known.has(logSource(digest)));
    this.isAsking = newest === last;
    if (newest === undefined) return block;
    return newest === last ? { ...block, items: [], metadata: null, values: 0 } : blockAfter(block, newest);
  }

  private async push(block: LogBlock): Promise<void> {
    if (!isEmptyBlock(block)) this.add(await this.client.push({ source: sourceOf(block), seq: 0, ...pushBodyOf(block) }));
  }

  private add(answer: PushAnswer): void {
    const { sum } = this;
    this.sum = {
      pushes: sum.pushes + 1,
      accepted: sum.accepted + answer.accepted,
      repeated: sum.repeated + answer.repeated,
      missing: sum.missing + answer.missing,
      refused: sum.refused + answer.refusedTotal,
      flagged: sum.flagged + answer.flagged.length,
      refusals: [...sum.refusals, ...answer.refused.map((refusal) => refusal.message)].slice(0, SHOWN_REFUSALS),
      attempts: sum.attempts.includes(answer.attempt) ? sum.attempts : [...sum.attempts, answer.attempt],
      runId: answer.runId,
    };
  }
}

/** The source a block is pushed under. One without points is named by its content: it adds nothing to the log's identity. */
export function sourceOf(block: LogBlock): string {
  const last = blockDigests(block).at(-1);
  return last === undefined ? `facts:${textHash(JSON.stringify([block.run, block.items, block.metadata]))}` : logSource(last);
}

function logSource(digest: string): string {
  return `log:${digest}`;
}
