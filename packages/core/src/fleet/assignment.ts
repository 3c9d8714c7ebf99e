/** Which rank ran on which GPU, from when to when: one line of an assignment file, or what a trainer has pushed. */
export interface Assignment {
  readonly rank: number;
  /** Host name or machine id; null where `gpuUuid` says it. */
  readonly node: string | null;
  /** In the form of entity ids: `GPU-…` or `GPU-…/mig/n`. */
  readonly gpuUuid: string | null;
  readonly gpuIndex: number | null;
  /** Coordinates in the parallel layout. */
  readonly dp: number | null;
  readonly tp: number | null;
  readonly pp: number | null;
  readonly ep: number | null;
  /** Epoch ms; null: from the attempt's start, to its end. */
  readonly fromMs: number | null;
  readonly toMs: number | null;
}

/**
 * Reads the facts of an assignment, whoever has sent them; null where they name no rank, or neither a UUID nor a node and index: such a line
 * says nothing about where a rank ran. Times are ISO 8601, UTC where they name no zone, or epoch milliseconds.
 */
export function readAssignment(facts: unknown): Assignment | null {
  if (typeof facts !== "object" || facts === null || Array.isArray(facts)) return null;
  const field = (name: string): unknown => Object.entries(facts).find(([key]) => key === name)?.[1];
  const rank = integerOf(field("rank"));
  const node = textOf(field("node"));
  const gpuUuid = uuidOf(field("gpuUuid"));
  const gpuIndex = integerOf(field("gpuIndex"));
  if (rank === null || (gpuUuid === null && (node === null || gpuIndex === null))) return null;
  const [dp, tp, pp, ep] = [integerOf(field("dp")), integerOf(field("tp")), integerOf(field("pp")), integerOf(field("ep"))];
  return { rank, node, gpuUuid, gpuIndex, dp, tp, pp, ep, fromMs: timeOf(field("from")), toMs: timeOf(field("to")) };
}

function integerOf(value: unknown): number | null {
  const number = typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isInteger(number) && number >= 0 && number < 2 ** 31 ? number : null;
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

/** PyTorch and nvidia_gpu_exporter leave out "GPU-"; hexadecimal digits may be of either case. */
function uuidOf(value: unknown): string | null {
  const text = textOf(value);
  if (text === null || /^MIG-/i.test(text)) return text;
  return `GPU-${text.replace(/^GPU-/i, "").toLowerCase()}`;
}

/** Date, time, and the hours and minutes of its zone. */
const ISO_TIME = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?) ?(?:Z|([+-]\d{2})(?::?(\d{2}))?)?)?$/i;

function timeOf(value: unknown): number | null {
  if (typeof value === "number" && Number.isFinite(value)) return value;
  const [, date, time = "00:00", hours = "+00", minutes = "00"] = (typeof value === "string" ? ISO_TIME.exec(value.trim()) : null) ?? [];
  if (date === undefined) return null;
  // Without a zone `Date` would take the one of whatever machine this runs on.
  const ms = Date.parse(`${date}T${time.replace(",", ".")}${hours}:${minutes}`);
  return Number.isNaN(ms) ? null : ms;
}
