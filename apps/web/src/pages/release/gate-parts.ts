import { DIMENSION_TITLES, type GateCell, type GateView, type ReleaseRow } from "@trainwatch/core";
import { formatInteger, MISSING } from "@trainwatch/ui";
import { differenceText, differenceUnit, rowNumber, shortTitles } from "@trainwatch/ui/charts/release";

export interface GateParts {
  /** What it is of: may be cut where it has no room. */
  readonly name: string;
  /** "≤ 1.5 %": never cut; empty where the name says all. */
  readonly bound: string;
  /** Of its results: told by the bound, so that they go without. */
  readonly unit: string;
}

/** A criterion in two parts, so that a long name gives way and the bound stays. One on a row that nothing has measured is known by its title alone. */
export function gateParts({ gate, title }: Pick<GateView, "gate" | "title">, rows: readonly ReleaseRow[]): GateParts {
  if (gate.kind === "worse-rows") {
    const of = gate.dimension === null ? "rows" : `in ${(DIMENSION_TITLES[gate.dimension].split(";")[0] ?? gate.dimension).toLowerCase()}`;
    return { name: `Worse ${of}`, bound: `≤ ${formatInteger(gate.most)}`, unit: "" };
  }
  const row = "row" in gate ? rows.find(({ key }) => key === gate.row) : undefined;
  if (row === undefined) return { name: title, bound: "", unit: "" };
  const name = shortTitles(rows).get(row.key) ?? row.title;
  if (gate.kind === "no-loss") {
    // Its results are differences: the bound is written as one too, on the side that is a loss.
    const [sign, least] = row.better === "lower" ? ["≤", gate.margin] : ["≥", -gate.margin];
    return { name, bound: `${sign} ${withoutZeros(differenceText(least, row))}`, unit: differenceUnit(row) };
  }
  if (gate.kind !== "limit") return { name: title, bound: "", unit: "" };
  const sign = gate.bound === "at-least" ? "≥" : "≤";
  return { name, bound: `${sign} ${withoutZeros(rowNumber(gate.value, row))} ${row.unit}`.trimEnd(), unit: row.unit };
}

/** A bound is exact: "2.50" promises no more than "2.5". */
function withoutZeros(text: string): string {
  return text.replace(/(\.\d*?)0+(?!\d)/, "$1").replace(/\.(?!\d)/, "");
}

/** "−0.7 pp, at least −2.1" is −0.7, and "after 1,160" is after: unit, bound and step are told on hover, as is why nothing can be told. */
export function shortResult({ text, state }: Pick<GateCell, "text" | "state">, { unit }: GateParts): string {
  if (state === "unknown") return MISSING;
  const measured = text.split(", ")[0] ?? text;
  const word = /^\p{L}+/u.exec(measured)?.[0];
  if (word !== undefined) return word;
  return unit !== "" && measured.endsWith(` ${unit}`) ? measured.slice(0, -unit.length - 1) : measured;
}
