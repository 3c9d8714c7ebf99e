import { fieldOf, gpuOfFinding, metricName, nodeOfFinding, type ExportedFleetSeries, type Finding } from "@trainwatch/core";
import { bucketPlan, type StoredIncident } from "@trainwatch/store";
import type { ApiContext } from "../../context.ts";
import { windowSeries } from "../../fleet/window-series.ts";
import type { SeriesPart } from "./run-series.ts";

const MINUTE_MS = 60_000;
const LEAD_MS = 30 * MINUTE_MS;
const MOST_SPAN_MS = 24 * 60 * MINUTE_MS;
const BINS = 720;
const MOST_SUSPECTS = 4;
const MOST_FIELDS = 8;
export const MOST_FLEET_LINES = 32;

/** What shows of a GPU's health whatever is wrong with it. */
const ALWAYS = ["DCGM_FI_DEV_GPU_TEMP", "DCGM_FI_DEV_POWER_USAGE", "DCGM_FI_DEV_SM_CLOCK"];

type Asked = Pick<ApiContext, "store" | "fleetViews">;

/** What was read of the suspected GPUs, nodes, links and ports from half an hour before the onset: the fields that findings speak of, and each GPU's temperature, power and clock. */
export async function fleetSeries(
  { store, fleetViews }: Asked,
  stored: StoredIncident,
  findings: readonly Finding[],
  nowMs: number,
): Promise<SeriesPart<ExportedFleetSeries>> {
  const suspects = suspectsOf(stored, findings).slice(0, MOST_SUSPECTS);
  if (suspects.length === 0) return { series: [], total: 0, leftOut: [] };
  const beganMs = stored.onsetTimeMs ?? stored.detectedTimeMs;
  if (beganMs === null) return { series: [], total: 0, leftOut: ["The suspects' readings: when it began is not known."] };
  const fromMs = beganMs - LEAD_MS;
  const toMs = Math.min((stored.endTimeMs ?? nowMs) + LEAD_MS, fromMs + MOST_SPAN_MS, Math.max(nowMs, beganMs + LEAD_MS));
  const fields = [...new Set([...findings.map(({ metric }) => metric), ...ALWAYS].map(metricName))]
    .filter((field) => fieldOf(field) !== null)
    .slice(0, MOST_FIELDS);
  const { edges } = bucketPlan(fromMs, toMs, BINS);
  const startMs = [...edges.subarray(0, BINS)];
  const lines: ExportedFleetSeries[] = [];
  for (const metric of fields) {
    const field = fieldOf(metric);
    const isRate = field?.kind === "counter";
    const wanted = (await fleetViews.series(metric)).filter(
      ({ entity }) => entity !== null && suspects.some((id) => entity.id === id || entity.id.startsWith(`${id}/`)),
    );
    const read = await store.fleet.reader.window(
      wanted.slice(0, MOST_FLEET_LINES).map(({ place }) => place),
      fromMs,
      toMs,
      BINS,
    );
    for (const [index, info] of wanted.entries()) {
      const columns = read[index];
      if (columns === undefined) continue;
      const { entity, labels, count, mean, min, max } = windowSeries(info, columns, isRate);
      if (entity === null || count.every((readings) => readings === 0)) continue;
      lines.push({
        field: metric,
        unit: isRate ? `${field?.unit ?? ""}/s` : (field?.unit ?? ""),
        entity: entity.id,
        labels: { ...labels },
        isRate,
        startMs,
        readings: [...count],
        mean: [...mean],
        min: [...min],
        max: [...max],
      });
    }
  }
  const isCut = stored.endTimeMs === null && nowMs > fromMs + MOST_SPAN_MS;
  return {
    series: lines.slice(0, MOST_FLEET_LINES),
    total: lines.length,
    leftOut: isCut ? ["The suspects' readings after the first day."] : [],
  };
}

function suspectsOf({ assessment }: StoredIncident, findings: readonly Finding[]): readonly string[] {
  const likeliest = assessment?.causes[0]?.subjectId ?? null;
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
