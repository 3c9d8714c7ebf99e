import { FLIGHT_STATES, type FlightDump, type FlightEntry, type FlightGroup } from "@trainwatch/core";

/** A dump, or why the JSON is none. */
export type DumpOutcome = { readonly dump: FlightDump } | { readonly fault: string };

/** Entries of a rank at most: PyTorch keeps 2,000 unless it is told otherwise. */
const MAX_ENTRIES = 1_000_000;
const NS_A_MS = 1e6;

/**
 * Reads a dump of PyTorch's NCCL flight recorder from JSON that was parsed already (`_dump_nccl_trace_json`), or from a pickle's values (`readPickle`). Which
 * rank it is of stands in the file's name only: see {@link rankOfDumpName}. Entries that lack a group or a sequence number are passed over.
 */
export function readFlightRecorderDump(json: unknown, rank: number): DumpOutcome {
  const root = asFacts(json);
  if (root === null) return { fault: "it is no JSON object" };
  const listed = root["entries"];
  if (!Array.isArray(listed)) return { fault: "it lacks the list `entries`" };
  if (listed.length > MAX_ENTRIES) return { fault: `it has ${listed.length} entries, more than ${MAX_ENTRIES}` };
  const entries = listed.flatMap((entry) => readEntry(asFacts(entry)) ?? []);
  if (listed.length > 0 && entries.length === 0) return { fault: "none of its entries has a process group and a sequence number" };
  return { dump: { rank, version: textOf(root["version"]) ?? "", groups: readGroups(root, listed), entries } };
}

/** Shapes as compact JSON: `[[4096,1,5120]]`. Deeper or longer ones than any collective's are cut, over all levels together: a pickle can put a list into itself, or one into another a thousand times. */
const DEEPEST = 3;
const MOST_PARTS = 4_096;

function sizesOf(value: unknown): string {
  return Array.isArray(value) ? listOf(value, 1, { left: MOST_PARTS }) : "[]";
}

function listOf(list: readonly unknown[], depth: number, parts: { left: number }): string {
  if (depth > DEEPEST) return "…";
  const said: string[] = [];
  for (const part of list) {
    if (parts.left-- <= 0) return `[${[...said, "…"].join(",")}]`;
    said.push(Array.isArray(part) ? listOf(part, depth + 1, parts) : typeof part === "number" ? String(part) : "null");
  }
  return `[${said.join(",")}]`;
}

/** The rank in a dump's file name: `nccl_trace_rank_3`, `comm_lib_trace_rank_3` and `_dump_3` are rank 3; null where it ends in no number. */
export function rankOfDumpName(name: string): number | null {
  const digits = /(?:^|[^\d])(\d{1,7})(?:\.json)?$/.exec(name)?.[1];
  return digits === undefined ? null : Number(digits);
}

type Facts = Readonly<Record<string, unknown>>;

function readEntry(entry: Facts | null): FlightEntry | null {
  const group = groupOf(entry?.["process_group"]);
  const seq = countOf(entry?.["collective_seq_id"]);
  if (entry === null || group === null || seq === null) return null;
  const createdNs = countOf(entry["time_created_ns"]);
  return {
    group: group.name,
    seq,
    name: textOf(entry["profiling_name"]) ?? "",
    state: FLIGHT_STATES.find((state) => state === entry["state"]) ?? "scheduled",
    isP2p: entry["is_p2p"] === true,
    inputSizes: sizesOf(entry["input_sizes"]),
    outputSizes: sizesOf(entry["output_sizes"]),
    createdMs: createdNs === null ? null : createdNs / NS_A_MS,
    timeoutMs: countOf(entry["timeout_ms"]),
  };
}

/** `["36", "TENSOR_MODEL_PARALLEL_GROUP"]`: name and description. */
function groupOf(value: unknown): { readonly name: string; readonly description: string } | null {
  const [name, description] = Array.isArray(value) ? value : [value, ""];
  const text = textOf(name);
  return text === null ? null : { name: text, description: textOf(description) ?? "" };
}

/** `pg_config` goes by the group's name, `pg_status` by the rank's own number of it, which only entries tell. */
function readGroups(root: Facts, listed: readonly unknown[]): readonly FlightGroup[] {
  const status = asFacts(root["pg_status"]) ?? {};
  const numberOf = new Map<string, string>();
  for (const entry of listed) {
    const facts = asFacts(entry);
    const group = groupOf(facts?.["process_group"]);
    const number = textOf(facts?.["pg_id"]);
    if (group !== null && number !== null) numberOf.set(group.name, number);
  }
  return Object.entries(asFacts(root["pg_config"]) ?? {}).map(([key, config]) => {
    const facts = asFacts(config) ?? {};
    const name = textOf(facts["name"]) ?? key;
    const mine = asFacts(status[numberOf.get(name) ?? ""]);
    return {
      name,
      description: textOf(facts["desc"]) ?? "",
      ranks: ranksOf(facts["ranks"]),
      lastEnqueued: countOf(mine?.["last_enqueued_collective"]),
      lastCompleted: countOf(mine?.["last_completed_collective"]),
    };
  });
}

/** PyTorch writes the list as text: "[0, 1, 2]". */
function ranksOf(value: unknown): readonly number[] {
  const list = typeof value === "string" ? (value.match(/\d+/g) ?? []).map(Number) : Array.isArray(value) ? value : [];
  return list.filter((rank): rank is number => typeof rank === "number" && Number.isInteger(rank) && rank >= 0);
}

function asFacts(value: unknown): Facts | null {
  return isFacts(value) ? value : null;
}

/** The object itself and no copy: in a pickle one large dict may stand in a million places. */
function isFacts(value: unknown): value is Facts {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : null;
}

/** −1 is PyTorch's "none yet". */
function countOf(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : null;
}
