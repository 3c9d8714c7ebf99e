import type { Passport } from "@trainwatch/core";
import type { Records } from "@trainwatch/store";
import { resultView } from "../scorecards/result-view.ts";
import type { PassportFacts } from "./passport-facts.ts";

/** Results in force of the scorecard that knows most of it, each with its verdict against the baseline where the newest release judges it. */
export async function passportResults(records: Records, { cards, compared }: PassportFacts): Promise<Passport["results"]> {
  const [card] = cards;
  if (card === undefined) return [];
  const results = await records.scorecards.results([card.scorecardId]);
  const isCompared =
    compared !== null && compared.comparison !== null && compared.release.columns[compared.column]?.scorecardId === card.scorecardId;
  const cells = new Map(
    isCompared ? (compared.comparison?.rows ?? []).map(({ key, cells: row }) => [key, row[compared.column]] as const) : [],
  );
  return results.map((result) => {
    const view = resultView(result);
    const cell = cells.get(view.key);
    return { ...view, delta: cell?.delta ?? null, verdict: cell?.verdict ?? null };
  });
}
