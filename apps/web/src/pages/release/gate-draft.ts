import { gateSchema, type Dimension, type Gate, type GateInput, type ReleaseRow } from "@trainwatch/core";
import { differenceUnit } from "@trainwatch/ui/charts/release";

export const GATE_KINDS = ["no-loss", "limit", "worse-rows", "verified", "before-turning-point"] as const satisfies readonly Gate["kind"][];
export type GateKind = (typeof GATE_KINDS)[number];

export const GATE_KIND_WORDS = {
  "no-loss": "Loses no more than … on a row",
  limit: "A row's value is at least or at most …",
  "worse-rows": "At most … rows worse",
  verified: "The checkpoint is verified",
  "before-turning-point": "It is not after a turning point",
} as const satisfies Record<GateKind, string>;

/** A gate as it is being written: numbers are text in the unit that the row is written in. */
export interface GateDraft {
  /** Tells drafts apart while they are edited. */
  readonly id: number;
  readonly kind: GateKind;
  readonly row: string;
  readonly amount: string;
  /** In per cent; "" where the value counts as measured. */
  readonly confidence: string;
  readonly bound: "at-least" | "at-most";
  readonly dimension: Dimension | null;
}

export function newGateDraft(id: number, row: ReleaseRow | undefined): GateDraft {
  return {
    id,
    kind: row === undefined ? "worse-rows" : "no-loss",
    row: row?.key ?? "",
    amount: row === undefined ? "0" : "1",
    confidence: "95",
    bound: row?.better === "lower" ? "at-most" : "at-least",
    dimension: null,
  };
}

/** The unit in which the amount is written. */
export function amountUnit(draft: GateDraft, row: ReleaseRow | undefined): string {
  if (row === undefined || (draft.kind !== "no-loss" && draft.kind !== "limit")) return "";
  return draft.kind === "no-loss" ? differenceUnit(row) : row.unit;
}

export type DraftAnswer = { readonly gate: GateInput; readonly fault: null } | { readonly gate: null; readonly fault: string };

/** The gate that a draft says, or what it lacks. */
export function gateOf(draft: GateDraft, rows: readonly ReleaseRow[]): DraftAnswer {
  const row = rows.find(({ key }) => key === draft.row);
  const read = readDraft(draft, row);
  if (read.gate === null) return read;
  const checked = gateSchema.safeParse(read.gate);
  return checked.success ? read : { gate: null, fault: checked.error.issues[0]?.message ?? "Not a gate" };
}

function readDraft(draft: GateDraft, row: ReleaseRow | undefined): DraftAnswer {
  const { kind } = draft;
  if (kind === "verified" || kind === "before-turning-point") return { gate: { kind }, fault: null };
  const amount = readNumber(draft.amount);
  if (amount === null) return { gate: null, fault: "A number is missing" };
  if (kind === "worse-rows") {
    if (!Number.isInteger(amount) || amount < 0) return { gate: null, fault: "A whole number of rows, 0 or more" };
    return { gate: { kind, dimension: draft.dimension, most: amount }, fault: null };
  }
  if (row === undefined) return { gate: null, fault: "Choose a row" };
  const confidence = draft.confidence.trim() === "" ? null : readNumber(draft.confidence);
  if (confidence === null ? draft.confidence.trim() !== "" || kind === "no-loss" : confidence <= 50 || confidence >= 100)
    return { gate: null, fault: "A confidence between 50 and 100 %" };
  const share = confidence === null ? null : confidence / 100;
  const value = amount / row.scale;
  if (kind === "limit") return { gate: { kind, row: row.key, bound: draft.bound, value, confidence: share }, fault: null };
  if (amount < 0) return { gate: null, fault: "A loss of 0 or more" };
  return { gate: { kind, row: row.key, margin: value, ...(share === null ? {} : { confidence: share }) }, fault: null };
}

function readNumber(text: string): number | null {
  const value = Number(text.trim().replace("−", "-").replace(",", "."));
  return text.trim() !== "" && Number.isFinite(value) ? value : null;
}

/** What has been fixed before, to be changed. */
export function draftOf(id: number, gate: Gate, rows: readonly ReleaseRow[]): GateDraft {
  const key = "row" in gate ? gate.row : "";
  const row = rows.find((each) => each.key === key);
  const base = { ...newGateDraft(id, row), kind: gate.kind, row: key };
  const shown = (value: number): string => String(Number((value * (row?.scale ?? 1)).toPrecision(12)));
  switch (gate.kind) {
    case "no-loss":
      return { ...base, amount: shown(gate.margin), confidence: percent(gate.confidence) };
    case "limit":
      return {
        ...base,
        amount: shown(gate.value),
        bound: gate.bound,
        confidence: gate.confidence === null ? "" : percent(gate.confidence),
      };
    case "worse-rows":
      return { ...base, amount: String(gate.most), dimension: gate.dimension };
    default:
      return base;
  }
}

function percent(share: number): string {
  return String(Number((share * 100).toPrecision(10)));
}
