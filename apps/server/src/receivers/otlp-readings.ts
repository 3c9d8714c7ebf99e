import type { CounterStarts } from "./counter-starts.ts";
import { OtlpColumns } from "./otlp-columns.ts";
import type { Attributes, HistogramPoint, NumberPoint, OtlpMetric, OtlpResource, OtlpValue, SummaryPoint } from "./otlp-model.ts";

/** What a request comes to. */
export interface OtlpReadings {
  readonly columns: OtlpColumns;
  /** Data points that were left out before anything was stored, by the reason. */
  readonly rejected: ReadonlyMap<string, number>;
  /** Cumulative series and when they say to have begun: to be remembered once the readings are stored. */
  readonly starts: readonly { readonly key: string; readonly startMs: number; readonly timeMs: number }[];
}

/** Attributes of a resource that say which node and target it is. Others (process ids, versions) would begin a new series with each restart. */
const KEPT_RESOURCE_ATTRIBUTES: ReadonlySet<string> = new Set([
  "host.name",
  "host.id",
  "k8s.node.name",
  "k8s.pod.name",
  "k8s.namespace.name",
  "k8s.container.name",
]);

const REASON = {
  delta: "delta temporality: set the exporter to cumulative, or put the deltatocumulative processor in between",
  unspecified: "no aggregation temporality",
  exponential: "exponential histograms are not stored: use explicit buckets",
  noValue: "neither a value nor the flag that there is none",
  buckets: "the number of bucket counts is not that of the bounds and one",
  noName: "no name",
} as const;

/** Takes data points apart into labelled readings, as Prometheus names them: `_count`, `_sum`, `_bucket` with `le`, and `quantile`. */
export function otlpReadings(resources: readonly OtlpResource[], starts: CounterStarts): OtlpReadings {
  const walk = new Walk(starts);
  for (const { attributes, metrics } of resources) {
    const shared = resourceLabels(attributes);
    for (const metric of metrics) walk.metric(metric, shared);
  }
  return walk;
}

class Walk implements OtlpReadings {
  readonly columns = new OtlpColumns();
  readonly rejected = new Map<string, number>();
  readonly starts: { key: string; startMs: number; timeMs: number }[] = [];
  readonly #known: CounterStarts;
  #points = 0;

  constructor(known: CounterStarts) {
    this.#known = known;
  }

  metric({ name, data }: OtlpMetric, shared: Attributes): void {
    if (data.kind === "none") return;
    if (data.kind === "exponential-histogram") return this.#reject(REASON.exponential, data.points);
    if (name === "") return this.#reject(REASON.noName, data.points.length);
    if (data.kind === "gauge") for (const point of data.points) this.#number(name, shared, point, false);
    else if (data.kind === "summary") for (const point of data.points) this.#summary(name, shared, point);
    else if (data.temporality !== "cumulative")
      this.#reject(data.temporality === "delta" ? REASON.delta : REASON.unspecified, data.points.length);
    else if (data.kind === "sum") for (const point of data.points) this.#number(name, shared, point, data.isMonotonic);
    else for (const point of data.points) this.#histogram(name, shared, point);
  }

  #reject(reason: string, points: number): void {
    if (points > 0) this.rejected.set(reason, (this.rejected.get(reason) ?? 0) + points);
  }

  #number(name: string, shared: Attributes, point: NumberPoint, isCounter: boolean): void {
    const value = point.isNoValue ? "ended" : point.value;
    if (value === null) return this.#reject(REASON.noValue, 1);
    this.#add(this.#points++, name, joined(shared, point.attributes), point, value, isCounter);
  }

  #histogram(name: string, shared: Attributes, point: HistogramPoint): void {
    const { bucketCounts, bounds, count, sum, isNoValue } = point;
    if (bucketCounts.length > 0 && bucketCounts.length !== bounds.length + 1) return this.#reject(REASON.buckets, 1);
    const labels = joined(shared, point.attributes);
    const number = this.#points++;
    const add = (suffix: string, own: Attributes, value: OtlpValue): void =>
      this.#add(number, name + suffix, [...labels, ...own], point, isNoValue ? "ended" : value, true);
    add("_count", [], count);
    if (sum !== null || isNoValue) add("_sum", [], sum ?? 0);
    let below = 0;
    for (const [index, bound] of bounds.entries()) {
      below += bucketCounts[index] ?? 0;
      if (bucketCounts.length > 0 || isNoValue) add("_bucket", [["le", String(bound)]], below);
    }
    add("_bucket", [["le", "+Inf"]], count);
  }

  #summary(name: string, shared: Attributes, point: SummaryPoint): void {
    const labels = joined(shared, point.attributes);
    const number = this.#points++;
    const add = (suffix: string, own: Attributes, value: OtlpValue, isCounter: boolean): void =>
      this.#add(number, name + suffix, [...labels, ...own], point, point.isNoValue ? "ended" : value, isCounter);
    add("_count", [], point.count, true);
    add("_sum", [], point.sum, true);
    for (const { quantile, value } of point.quantiles) add("", [["quantile", String(quantile)]], value, false);
  }

  #add(
    number: number,
    name: string,
    labels: Attributes,
    { startMs, timeMs }: { readonly startMs: number; readonly timeMs: number },
    value: OtlpValue | "ended",
    isCounter: boolean,
  ): void {
    const key = this.columns.add(number, name, labels, timeMs, value);
    if (!isCounter || startMs === 0 || value === "ended") return;
    if (this.#known.isNew(key, startMs, timeMs)) this.columns.add(-1, name, labels, startMs, 0);
    this.starts.push({ key, startMs, timeMs });
  }
}

/** OpenTelemetry's words for Prometheus' `job` and `instance` (https://opentelemetry.io/docs/specs/otel/compatibility/prometheus_and_openmetrics/). */
function resourceLabels(attributes: Attributes): Attributes {
  const of = new Map(attributes);
  const [service, namespace, instance] = [of.get("service.name"), of.get("service.namespace"), of.get("service.instance.id")];
  return [
    ...(service === undefined ? [] : [["job", namespace === undefined ? service : `${namespace}/${service}`] as const]),
    ...(instance === undefined ? [] : [["instance", instance] as const]),
    ...attributes.filter(([name]) => KEPT_RESOURCE_ATTRIBUTES.has(name)),
  ];
}

/** What a point says of itself goes before what its resource says. */
function joined(shared: Attributes, own: Attributes): Attributes {
  if (own.length === 0) return shared;
  const names = new Set(own.map(([name]) => name));
  return [...shared.filter(([name]) => !names.has(name)), ...own];
}
