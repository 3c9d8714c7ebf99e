import { AppError, FRAME_LIMITS } from "@trainwatch/core";
import { expositionFormatOf, expositionParser } from "@trainwatch/formats";
import { z } from "zod";
import { durationSchema, sizeSchema } from "../config/units.ts";
import { hostOf } from "../http/request.ts";
import type { HttpAnswer } from "../http/request.ts";
import type { Source, SourceDefinition, SourceOptions, SourceWorld } from "../source.ts";
import { nodeLabels } from "./node-labels.ts";
import { sourceOptions } from "./options.ts";
import { SeriesTable } from "./series-table.ts";
import type { TakenSample } from "./series-table.ts";

interface ScrapeOptions extends SourceOptions {
  readonly url: string;
  readonly timeout: number;
  readonly maxBytes: number;
  readonly maxSamples: number;
  readonly job?: string | undefined;
}

const ACCEPT = "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5,*/*;q=0.1";
/** From then on the source counts as gone, and its series are said to have ended. */
const FAILURES_TO_END = 3;

export const scrape = {
  kind: "scrape",
  title: "Reads an exporter (dcgm-exporter, node_exporter, any) in the Prometheus text format or OpenMetrics.",
  options: z.strictObject({
    ...sourceOptions("scrape", "10s"),
    url: z.url({ protocol: /^https?$/, message: "must be an http or https address" }).describe("where the exporter answers"),
    timeout: durationSchema.prefault("5s").describe("for the whole answer"),
    maxBytes: sizeSchema.prefault("16MiB").describe("of an answer, decompressed; a longer one is refused"),
    maxSamples: z.int().min(1).max(16_384).default(16_384).describe("of an answer; those beyond are left out and said"),
    job: z.string().min(1).max(128).optional().describe("label `job` of its series (default: the source's name)"),
  }),
  create: (options, world) => new Scrape(options, world),
} as const satisfies SourceDefinition<ScrapeOptions>;

class Scrape implements Source {
  private readonly options: ScrapeOptions;
  private readonly world: SourceWorld;
  private readonly table: SeriesTable;
  private failures = 0;
  private saidOmitted = 0;

  constructor(options: ScrapeOptions, world: SourceWorld) {
    this.options = options;
    this.world = world;
    this.table = new SeriesTable(nodeLabels(world.node, options.job ?? options.name, instanceOf(options.url, world.node.host)));
  }

  async collect(stop: AbortSignal): Promise<void> {
    const { url, timeout, maxBytes } = this.options;
    const timeMs = this.world.clock.now();
    try {
      const answer = await this.world.http.send({
        url,
        method: "GET",
        headers: { accept: ACCEPT, "accept-encoding": "gzip" },
        timeoutMs: timeout,
        maxBytes,
        stop,
      });
      const { samples, beyondLimit } = this.samplesOf(answer);
      this.failures = 0;
      const batch = this.table.read(samples, timeMs);
      this.sayOmitted(beyondLimit + this.table.omitted);
      await this.world.take({ readings: [batch] });
    } catch (error) {
      if (!stop.aborted) await this.fail(timeMs);
      throw error;
    }
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private async fail(timeMs: number): Promise<void> {
    this.failures++;
    const ended = this.failures === FAILURES_TO_END ? this.table.end(timeMs) : null;
    if (ended !== null) await this.world.take({ readings: [ended] });
  }

  private samplesOf({ status, headers, body }: HttpAnswer): { readonly samples: readonly TakenSample[]; readonly beyondLimit: number } {
    const { maxSamples } = this.options;
    const url = hostOf(this.options.url);
    if (status !== 200) throw new AppError("unavailable", `${url} answers with status ${status}`);
    const samples: TakenSample[] = [];
    let fault: string | null = null;
    const format = expositionFormatOf(headers["content-type"] ?? null);
    const parser = expositionParser(
      { sample: (sample) => samples.push(sample), issue: ({ line, message }) => (fault ??= `line ${line}: ${message}`) },
      { format, maxSamples },
    );
    parser.push(body);
    const summary = parser.end();
    // Half an answer would say of the other half that it has ended.
    if (format === "openmetrics" && !summary.isComplete) throw new AppError("unreadable-input", `${url}: the answer is cut short`);
    if (samples.length === 0)
      throw new AppError("unreadable-input", `${url}: no sample in the answer${fault === null ? "" : `; ${fault}`}`);
    return { samples, beyondLimit: summary.beyondLimit };
  }

  private sayOmitted(count: number): void {
    if (count > this.saidOmitted)
      this.world.say(
        `${this.options.name}: ${count} samples of an answer are left out: beyond maxSamples (${this.options.maxSamples}), or beyond the ${FRAME_LIMITS.seriesADictionary} series that one answer and what it no longer has may name`,
      );
    this.saidOmitted = Math.max(count, this.saidOmitted);
  }
}

/** `localhost:9400` would be every node's exporter. */
function instanceOf(url: string, host: string): string {
  const parsed = new URL(url);
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\]|::1)$/.test(parsed.hostname);
  const port = parsed.port === "" ? (parsed.protocol === "https:" ? "443" : "80") : parsed.port;
  return `${isLocal ? host : parsed.hostname}:${port}`;
}
