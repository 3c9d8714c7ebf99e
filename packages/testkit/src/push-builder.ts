import { encodeColumn, type PushInput } from "@trainwatch/core";

export interface PushPoints {
  readonly metric: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly unit?: string;
  /** [step, value] or [step, value, epoch ms]; NaN and ±Infinity are values, null is missing. */
  readonly points: readonly (readonly [step: number, value: number | null, timeMs?: number])[];
}

/** The body of an `ingest.push` from points as a test likes to write them: one column a series. */
export function buildPush(base: Pick<PushInput, "source" | "seq"> & Partial<PushInput>, series: readonly PushPoints[]): PushInput {
  return {
    run: { project: "test", name: "run" },
    ...base,
    series: series.map(({ metric, labels, unit }) => ({
      metric,
      ...(labels === undefined ? {} : { labels: { ...labels } }),
      ...(unit === undefined ? {} : { unit }),
    })),
    columns: series.map(({ points }, index) => {
      const { value, nonFinite } = encodeColumn(points.map(([, each]) => each));
      const timed = points.some(([, , timeMs]) => timeMs !== undefined);
      return {
        series: index,
        step: points.map(([step]) => step),
        ...(timed ? { time: points.map(([, , timeMs]) => timeMs ?? null) } : {}),
        value: [...value],
        nonFinite: nonFinite.map(([at, word]): [number, typeof word] => [at, word]),
      };
    }),
  };
}
