import type { GateCell, ReleaseDetail } from "@trainwatch/core";

/** Does not pass, and nobody has overridden it: one that cannot be judged is no pass either. */
export function isUnmet(cell: GateCell): boolean {
  return cell.state !== "pass" && cell.override === null;
}

export interface Proposal {
  /** By column. */
  readonly column: number;
  /** `signed`: the choice stands; `chosen`: by the reader; `proposed`: by the rule below. */
  readonly by: "signed" | "chosen" | "proposed";
}

/**
 * The column that the page is about: the signed one, else the one that the reader thinks of, else the candidate with the fewest unmet gates,
 * of those the one that wins most weightings, then the one with most rows better less rows worse. Null without a candidate.
 */
export function proposalOf(detail: ReleaseDetail, ship: number | undefined): Proposal | null {
  const { columns, weights } = detail.comparison;
  const at = (scorecardId: number | null | undefined): number =>
    columns.findIndex((column, index) => index > 0 && column.scorecardId === scorecardId);
  const signed = at(detail.chosenScorecardId);
  if (signed > 0) return { column: signed, by: "signed" };
  const chosen = at(ship);
  if (chosen > 0) return { column: chosen, by: "chosen" };
  const ranked = columns
    .flatMap(({ counts }, column) =>
      column === 0 ? [] : [{ column, unmet: unmetOf(detail, column), wins: weights?.wins[column] ?? 0, net: counts.better - counts.worse }],
    )
    .sort((a, b) => a.unmet - b.unmet || b.wins - a.wins || b.net - a.net || a.column - b.column);
  const [first] = ranked;
  return first === undefined ? null : { column: first.column, by: "proposed" };
}

function unmetOf(detail: ReleaseDetail, column: number): number {
  return detail.gateViews.filter(({ cells }) => cells.some((cell) => cell.column === column && isUnmet(cell))).length;
}
