import { nodeLabels } from "../sources/node-labels.ts";
import { SeriesTable } from "../sources/series-table.ts";
import type { TakenSample } from "../sources/series-table.ts";
import type { NodeIdentity } from "../node-identity.ts";
import type { ReadingBatch } from "../source.ts";
import type { SourceRunner } from "../source-runner.ts";

const JOB = "trainwatch-agent";

/** What the agent knows of itself at a moment. */
export interface OwnFigures {
  readonly spoolBytes: number;
  readonly waitingReadings: number;
  readonly waitingFacts: number;
  /** Age of the oldest reading that the server does not take; 0 while it takes all. */
  readonly lagSeconds: number;
  /** Lost to the spool's limit or a full disk. */
  readonly dropped: number;
  /** Requests that the server has refused for good. */
  readonly putAside: number;
  /** Readings that the server has refused one by one. */
  readonly refused: number;
  readonly shipFailures: number;
  readonly residentBytes: number;
  readonly cpuSeconds: number;
}

/** The agent's own health as readings of the node, so that a blind or lagging agent shows where every other fault does. */
export class OwnReadings {
  private readonly table: SeriesTable;

  constructor(node: NodeIdentity) {
    this.table = new SeriesTable(nodeLabels(node, JOB, node.host));
  }

  read(figures: OwnFigures, sources: readonly SourceRunner[], timeMs: number): ReadingBatch {
    const plain = (name: string, value: number): TakenSample => ({ name: `trainwatch_agent_${name}`, labels: {}, value, timeMs: null });
    return this.table.read(
      [
        plain("spool_bytes", figures.spoolBytes),
        plain("waiting_readings", figures.waitingReadings),
        plain("waiting_facts", figures.waitingFacts),
        plain("lag_seconds", figures.lagSeconds),
        plain("dropped_total", figures.dropped),
        plain("put_aside_total", figures.putAside),
        plain("refused_readings_total", figures.refused),
        plain("ship_failures_in_a_row", figures.shipFailures),
        plain("resident_memory_bytes", figures.residentBytes),
        plain("cpu_seconds_total", figures.cpuSeconds),
        ...sources.flatMap(({ configured: { name: source, kind }, failures, failing }): readonly TakenSample[] => [
          { name: "trainwatch_agent_source_failures_total", labels: { source, kind }, value: failures, timeMs: null },
          { name: "trainwatch_agent_source_up", labels: { source, kind }, value: failing === 0 ? 1 : 0, timeMs: null },
        ]),
      ],
      timeMs,
    );
  }
}
