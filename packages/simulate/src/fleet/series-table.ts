import type { FrameSeries } from "@trainwatch/core";

/** A series of an exporter, and where among the values of its node its value stands. */
export interface ExposedSeries {
  readonly family: Family;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly place: number;
}

/** What stands above the samples of a metric. */
export interface Family {
  readonly name: string;
  readonly type: "gauge" | "counter" | "untyped";
  readonly help: string;
  /** Six digits after the point, none, or as few as Go writes. */
  readonly write: "fixed" | "integer" | "shortest";
}

/** Series of one exporter as they stand until something changes about them. */
export interface SeriesTable {
  /** Names this content among the tables of its node and exporter. */
  readonly version: string;
  readonly exposed: readonly ExposedSeries[];
  readonly series: readonly FrameSeries[];
}

export function seriesTable(version: string, exposed: readonly ExposedSeries[]): SeriesTable {
  return { version, exposed, series: exposed.map(({ name, labels }): FrameSeries => [name, labels]) };
}

/** The exposition text (0.0.4) of a table: `values` has one a series. */
export function expositionText({ exposed }: SeriesTable, values: Float64Array): string {
  const lines: string[] = [];
  let last: Family | null = null;
  for (const [index, { family, name, labels }] of exposed.entries()) {
    if (family !== last) lines.push(`# HELP ${family.name} ${family.help}`, `# TYPE ${family.name} ${family.type}`);
    last = family;
    lines.push(`${name}${labelText(labels)} ${valueText(values[index] ?? Number.NaN, family.write)}`);
  }
  return `${lines.join("\n")}\n`;
}

function labelText(labels: ExposedSeries["labels"]): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n")}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

/** A blank 64-bit integer of DCGM ("not supported"): no double holds it, and dcgm-exporter writes it in full (E5). */
const BLANK_INT64 = "9223372036854775794";

function valueText(value: number, write: Family["write"]): string {
  if (write === "shortest") return goText(value);
  if (value === Number(BLANK_INT64)) return BLANK_INT64;
  return write === "fixed" ? value.toFixed(6) : String(value);
}

/** As Go's strconv writes a float with 'g' and the shortest digits, which is what Prometheus' client library does. */
export function goText(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "-Inf";
  const [mantissa = "0", exponentText = "0"] = value.toExponential().split("e");
  const exponent = Number(exponentText);
  // JavaScript writes no exponent in this range either.
  if (exponent >= -4 && exponent < 6) return String(value);
  return `${mantissa}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}
