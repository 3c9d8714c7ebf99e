import type { HealthReading, HealthSink } from "../contract.ts";
import { CLOCK_REASONS } from "./clock-reasons.ts";
import { ECC_PARTS, ECC_SPANS, type EccPart, type EccSpan } from "./ecc-fields.ts";
import { SMI_FIELDS } from "./fields.ts";
import { count, flag, type ValueReader } from "./value.ts";

/** A GPU or a MIG instance as one output tells it: texts by the keys of `keys.ts`. */
export interface RawGpu {
  readonly values: Map<string, { readonly text: string; readonly line: number | null }>;
  readonly migs: RawGpu[];
}

/** What holds for all GPUs of an output. */
export interface SmiDocument {
  readonly timeMs: number | null;
  readonly labels: Readonly<Record<string, string>>;
}

export function rawGpu(): RawGpu {
  return { values: new Map(), migs: [] };
}

const BY_METRIC: ReadonlyMap<string, ValueReader> = new Map(SMI_FIELDS.map(({ metric, read }) => [metric, read]));

/** Gives out the readings of a GPU and its MIG instances. Each fault of a field is an issue, and the field is left out. */
export function giveReadings(gpu: RawGpu, document: SmiDocument, sink: Pick<HealthSink, "reading" | "issue">): void {
  const labels = { ...document.labels, ...labelsOf(gpu) };
  give(gpu, labels, document.timeMs, sink);
  for (const mig of gpu.migs) {
    const id = mig.values.get("mig:id")?.text ?? "";
    if (/^\d{1,4}$/.test(id)) give(mig, { ...labels, GPU_I_ID: id }, document.timeMs, sink);
  }
}

function labelsOf({ values }: RawGpu): Record<string, string> {
  const labels: Record<string, string> = {};
  for (const [key, { text }] of values) {
    if (key.startsWith("label:") && !/^\[?N\/A\]?$/i.test(text)) labels[key.slice("label:".length)] = text;
  }
  return labels;
}

function give(
  gpu: RawGpu,
  labels: Readonly<Record<string, string>>,
  timeMs: number | null,
  sink: Pick<HealthSink, "reading" | "issue">,
): void {
  function numberAt(key: string, read: ValueReader): { readonly value: number; readonly line: number | null } | null {
    const raw = gpu.values.get(key);
    if (raw === undefined) return null;
    const result = read(raw.text);
    if (result.kind === "fault")
      sink.issue({ line: raw.line ?? 0, code: "bad-value", message: `${key.slice(key.indexOf(":") + 1)} was left out: ${result.why}.` });
    return result.kind === "number" ? { value: result.value, line: raw.line } : null;
  }

  function out(name: string, found: { readonly value: number; readonly line: number | null } | null): void {
    if (found !== null) sink.reading({ name, labels, value: found.value, line: found.line, timeMs } satisfies HealthReading);
  }

  for (const [metric, read] of BY_METRIC) out(metric, numberAt(`metric:${metric}`, read));
  for (const span of ECC_SPANS) eccReadings(span, (part) => numberAt(`ecc:${span.span}:${part}`, count), out);
  out(
    "DCGM_FI_DEV_CLOCKS_EVENT_REASONS",
    clockReasons((bit) => numberAt(`reason:${bit}`, flag)),
  );
}

type Found = { readonly value: number; readonly line: number | null } | null;

function eccReadings({ metrics }: EccSpan, at: (part: EccPart) => Found, out: (name: string, found: Found) => void): void {
  const parts = new Map(ECC_PARTS.map(({ part }) => [part, at(part)] as const));
  const get = (part: EccPart): Found => parts.get(part) ?? null;
  const sramUncorrected = get("sramUncorrected") ?? sum(get("sramParity"), get("sramSecded"));
  if (metrics.dramCorrected !== null) out(metrics.dramCorrected, get("dramCorrected"));
  if (metrics.dramUncorrected !== null) out(metrics.dramUncorrected, get("dramUncorrected"));
  out(metrics.sramCorrected, get("sramCorrected"));
  out(metrics.sramUncorrected, sramUncorrected);
  out(metrics.corrected, get("corrected") ?? sum(get("dramCorrected"), get("sramCorrected")));
  out(metrics.uncorrected, get("uncorrected") ?? sum(get("dramUncorrected"), sramUncorrected));
}

/** Null unless both are there: half a sum is no count. */
function sum(a: Found, b: Found): Found {
  return a === null || b === null ? null : { value: a.value + b.value, line: a.line };
}

/** Reasons that an output does not list are not active; one that lists none says nothing. */
function clockReasons(at: (bit: number) => Found): Found {
  const found = CLOCK_REASONS.flatMap(({ bit }) => {
    const reason = at(bit);
    return reason === null ? [] : [{ bit, ...reason }];
  });
  const [first] = found;
  return first === undefined
    ? null
    : { value: found.reduce((mask, { bit, value }) => mask + (value === 1 ? bit : 0), 0), line: first.line };
}
