import type { SeriesWindow, Sparkline } from "@trainwatch/core";
import type pg from "pg";
import { inTransaction } from "../pool/index.ts";
import { type AxisOffer, type RangeQuestion, convertRange, readAxes } from "./convert-range.ts";
import { type PackOutcome, packSamples } from "./pack.ts";
import { type ArrivalQuestion, type Arrivals, readSince } from "./read-since.ts";
import { readSparkline } from "./sparkline.ts";
import { type WindowQuestion, readWindow } from "./window.ts";

/** Reading samples, and the upkeep of how they are stored. They are written by `ingest` only. */
export interface Samples {
  /**
   * One window of some metrics of a run at the resolution asked for, from all stored points.
   * @throws AppError `not-found` for an unknown run, `too-large` where the metrics have too many series.
   */
  window(question: WindowQuestion): Promise<SeriesWindow>;
  /** A metric of a run in 64 values. */
  sparkline(runId: number, metric: string): Promise<Sparkline>;
  /** Points in the order of arrival, for detectors; null for an unknown run. */
  since(question: ArrivalQuestion): Promise<Arrivals | null>;
  /** A range on another axis; null ends stay open. */
  convertRange(question: RangeQuestion): Promise<{ readonly from: number | null; readonly to: number | null }>;
  /** Which axes a run offers beside steps; reads no sample. */
  axes(runId: number): Promise<AxisOffer>;
  /** Stored points by series id; reads no sample. */
  pointCounts(runId: number, seriesIds: readonly number[]): Promise<ReadonlyMap<number, number>>;
  /** Upkeep: packs what has come in since the last call. */
  pack(limits: { readonly runs: number; readonly signal?: AbortSignal }): Promise<PackOutcome>;
}

export function createSamples(pool: pg.Pool): Samples {
  const reading = <T>(act: (client: pg.PoolClient) => Promise<T>): Promise<T> => inTransaction(pool, "read", act);
  return {
    window: (question) => reading((client) => readWindow(client, question)),
    sparkline: (runId, metric) => reading((client) => readSparkline(client, runId, metric)),
    since: (question) => reading((client) => readSince(client, question)),
    convertRange: (question) => reading((client) => convertRange(client, question)),
    axes: (runId) => reading((client) => readAxes(client, runId)),
    async pointCounts(runId, seriesIds) {
      const { rows } = await pool.query<{ id: number; points: number }>("SELECT series_id AS id, sum(points) AS points FROM samples.head WHERE group_id = $1 AND series_id = ANY($2) GROUP BY 1", [runId, seriesIds]);
      return new Map(rows.map(({ id, points }) => [id, points]));
    },
    pack: (limits) => packSamples(pool, limits),
  };
}
