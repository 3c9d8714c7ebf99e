import {
  fieldOf,
  gpuOfFinding,
  metricName,
  nodeOfFinding,
  type ExportedFleetSeries,
  type Finding,
  type FleetField,
  type Subject,
} from "@trainwatch/core";
import { bucketPlan, type FleetSeriesInfo, type StoredIncident } from "@trainwatch/store";
import type { ApiContext } from "../../context.ts";
import { DETECTOR_ENTRIES } from "../../detectors/entries.ts";
import { windowSeries } from "../../fleet/window-series.ts";
import { beyond, type SeriesPart } from "./run-series.ts";

const MINUTE_MS = 60_000;
const LEAD_MS = 30 * MINUTE_MS;
const MOST_SPAN_MS = 24 * 60 * MINUTE_MS;
const BINS = 720;
const MOST_SUSPECTS = 4;
const MOST_FIELDS = 12;
export const MOST_FLEET_LINES = 32;

/** What shows of a GPU's health whatever is wrong with it. */
const ALWAYS = ["DCGM_FI_DEV_GPU_TEMP", "DCGM_FI_DEV_POWER_USAGE", "DCGM_FI_DEV_SM_CLOCK"];

type Asked = Pick<ApiContext, "store" | "fleetViews">;

/** What was read of the suspected GPUs, nodes, links and ports from half an hour before the onset: the fields that findings speak of and their detectors read, and each GPU's temperature, power and clock. */
export async function fleetSeries(
  { store, fleetViews }: Asked,
  stored: StoredIncident,
  findings: readonly Finding[],
  nowMs: number,
): Promise<SeriesPart<ExportedFleetSeries>> {
  const suspected = suspectsOf(stored, findings);
  const suspects = suspected.slice(0, MOST_SUSPECTS);
  if (suspects.length === 0) return { series: [], total: 0, leftOut: [] };
  const beganMs = stored.onsetTimeMs ?? stored.detectedTimeMs;
  if (beganMs === null) return { series: [], total: 0, leftOut: ["The suspects' readings: when it began is not known."] };
  const fromMs = beganMs - LEAD_MS;
  const toMs = Math.min((stored.endTimeMs ?? nowMs) + LEAD_MS, fromMs + MOST_SPAN_MS, Math.max(nowMs, beganMs + LEAD_MS));
  const lines: ExportedFleetSeries[] = [];
  let unread = 0;
  let fields = 0;
  for (const field of fieldsOf(findings)) {
    const wanted = (await fleetViews.series(field.name)).filter(
      ({ entity }) => entity !== null && suspects.some((id) => entity.id === id || entity.id.startsWith(`${id}/`)),
    );
    if (wanted.length === 0) continue;
    const read = ++fields > MOST_FIELDS ? [] : wanted.slice(0, MOST_FLEET_LINES);
    unread += wanted.length - read.length;
    lines.push(...(await linesOf(store, field, read, fromMs, toMs)));
  }
  const isCut = stored.endTimeMs === null && nowMs > fromMs + MOST_SPAN_MS;
  return {
    series: lines.slice(0, MOST_FLEET_LINES),
    total: lines.length + unread,
    leftOut: [...(isCut ? ["The suspects' readings after the first day."] : []), ...beyond(suspected, MOST_SUSPECTS, "suspected devices")],
  };
}

async function linesOf(
  store: Asked["store"],
  field: FleetField,
  series: readonly FleetSeriesInfo[],
  fromMs: number,
  toMs: number,
): Promise<readonly ExportedFleetSeries[]> {
  if (series.length === 0) return [];
  const { edges } = bucketPlan(fromMs, toMs, BINS);
  const startMs = [...edges.subarray(0, BINS)];
  const isRate = field.kind === "counter";
  const read = await store.fleet.reader.window(
    series.map(({ place }) => place),
    fromMs,
    toMs,
    BINS,
  );
  return series.flatMap((info, index): ExportedFleetSeries[] => {
    const columns = read[index];
    if (columns === undefined) return [];
    const { entity, labels, count, mean, min, max } = windowSeries(info, columns, isRate);
    if (entity === null || count.every((readings) => readings === 0)) return [];
    return [
      {
        field: field.name,
        unit: isRate ? `${field.unit}/s` : field.unit,
        entity: entity.id,
        labels: { ...labels },
        isRate,
        startMs,
        readings: [...count],
        mean: [...mean],
        min: [...min],
        max: [...max],
      },
    ];
  });
}

/** Of the catalogue, those that say most first: what findings name, what always shows, and what their detectors read, under whatever exporter's name. */
function fieldsOf(findings: readonly Finding[]): readonly FleetField[] {
  const detectors = new Set(findings.map(({ detector }) => detector));
  const read = DETECTOR_ENTRIES.flatMap(({ id, reads }) => (detectors.has(id) ? reads : []));
  return [...new Set([...findings.map(({ metric }) => metric), ...ALWAYS, ...read].map(metricName))].flatMap((name) => fieldOf(name) ?? []);
}

/** Kinds of suspects of which anything is read. */
const DEVICES: ReadonlySet<string> = new Set<Subject["kind"]>(["gpu", "node", "link", "port", "switch"]);

function suspectsOf({ assessment }: StoredIncident, findings: readonly Finding[]): readonly string[] {
  const [first] = assessment?.causes ?? [];
  const likeliest = first === undefined || !DEVICES.has(first.subjectKind ?? "") ? null : first.subjectId;
  return [
    ...new Set([
      ...(likeliest === null ? [] : [likeliest]),
      ...findings.flatMap((finding) => {
        const { kind, id } = finding.subject;
        const own = kind === "link" || kind === "port" || kind === "switch" ? id : (gpuOfFinding(finding) ?? nodeOfFinding(finding));
        return own === null ? [] : [own];
      }),
    ]),
  ];
}
