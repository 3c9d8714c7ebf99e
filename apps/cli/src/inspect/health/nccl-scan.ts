import { ncclLineReader } from "@trainwatch/formats";
import type { HealthOptions, NcclLineReader } from "@trainwatch/formats";
import { EventGroups } from "./event-groups.ts";
import type { InspectedHealth } from "./read-health.ts";
import { ReadingSummary } from "./reading-summary.ts";

const NEWLINE = 10;
/** What stands behind the last line break of a chunk is kept up to this; no line of NCCL's is longer. */
const MAX_HELD = 1 << 16;
const NOTHING = Buffer.alloc(0);

/**
 * Looks for what NCCL and PyTorch's watchdog say while a trainer's log goes by. Chunks without the word cost one search: a log of gigabytes has mostly
 * such.
 */
export class NcclScan {
  private readonly health: InspectedHealth;
  private readonly reader: NcclLineReader;
  private held = NOTHING;
  private line = 1;

  constructor(path: string, options: HealthOptions) {
    this.health = { path, format: "nccl", events: new EventGroups(), readings: new ReadingSummary() };
    // The log's own reader says what is wrong with the log.
    this.reader = ncclLineReader({ event: (event) => this.health.events.add(event), issue: () => undefined }, options);
  }

  push(chunk: Uint8Array): void {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const data = this.held.length === 0 ? bytes : Buffer.concat([this.held, bytes]);
    const end = data.lastIndexOf(NEWLINE) + 1;
    this.scan(data.subarray(0, end));
    const rest = data.subarray(end);
    this.held = rest.length > MAX_HELD ? NOTHING : Buffer.from(rest);
  }

  /** Null where NCCL has said nothing. */
  end(): InspectedHealth | null {
    this.scan(this.held);
    return this.health.events.total === 0 ? null : this.health;
  }

  /** Whole lines. */
  private scan(data: Buffer): void {
    let from = 0;
    for (let at = data.indexOf("NCCL"); at >= 0; at = data.indexOf("NCCL", from)) {
      const begin = data.lastIndexOf(NEWLINE, at) + 1;
      const stop = data.indexOf(NEWLINE, at);
      const end = stop < 0 ? data.length : stop;
      this.line += newlines(data.subarray(from, begin));
      this.reader.line(data.toString("utf8", begin, end), this.line);
      this.line += stop < 0 ? 0 : 1;
      from = Math.min(data.length, end + 1);
    }
    this.line += newlines(data.subarray(from));
  }
}

function newlines(data: Buffer): number {
  let count = 0;
  for (let at = data.indexOf(NEWLINE); at >= 0; at = data.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}
