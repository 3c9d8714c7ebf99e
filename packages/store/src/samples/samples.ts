import type { SeriesWindow, Sparkline } from "@trainwatch/core";
import type pg from "pg";
import { inTransaction } from "../pool/index.ts";
import { type RangeQuestion, convertRange } from "./convert-range.ts";
import { packSamples } from "./pack.ts";
import { createNameBook } from "./dictionary.ts";
import { type ArrivalQuestion, type Arrivals, readSince } from "./read-since.ts";
import { type SparklineQuestion, readSparkline } from "./sparkline.ts";
import { type AttemptStep, tokensAt } from "./tokens-at.ts";
import { type WindowQuestion, readWindow } from "./window.ts";

/** Reading samples, and the upkeep of how they are stored. They are written by `ingest` only. */
export interface Samples {
  /**
   * One window of some metrics of a run at the resolution asked for, from all stored points.
   * @throws AppError `not-found` for an unknown run, `too-large` where the metrics have too many series.
   */
  window(question: WindowQuestion): Promise<SeriesWindow>;
  /** A preview line: a metric over a range of steps in 64 values. @throws as `window` does */
  sparkline(question: SparklineQuestion): Promise<Sparkline>;
  /** Points in the order of arrival, for detectors; null for an unknown run. */
  readSince(question: ArrivalQuestion): Promise<Arrivals | null>;
  /** A range on another axis; null ends stay open. */
  convertRange(question: RangeQuestion): Promise<{ readonly from: number | null; readonly to: number | null }>;
  /** Tokens seen at steps of a run's attempts; null where the run does not tell. In the order of `places`. */
  tokensAt(runId: number, places: readonly AttemptStep[]): Promise<readonly (number | null)[]>;
  /** Upkeep: packs what has come in since the last call. Reads answer the same before and after. Says whether there may be more to do. */
  maintain(signal?: AbortSignal): Promise<boolean>;
}

/** Series of all runs together whose names are kept for readers of arrivals; some two hundred bytes each. */
const MAX_NAMES = 524_288;

export function createSamples(pool: pg.Pool): Samples {
  const names = createNameBook(MAX_NAMES);
  const reading = <T>(act: (client: pg.PoolClient) => Promise<T>): Promise<T> => inTransaction(pool, "read", act);
  return {
    window: (question) => reading((client) => readWindow(client, question)),
    sparkline: (question) => reading((client) => readSparkline(client, question)),
    readSince: (question) => reading((client) => readSince(client, names, question)),
    convertRange: (question) => reading((client) => convertRange(client, question)),
    tokensAt: (runId, places) => reading((client) => tokensAt(client, runId, places)),
    maintain: (signal) => packSamples(pool, signal),
  };
}
