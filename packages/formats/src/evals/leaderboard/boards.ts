import { cellNumber } from "../table/cell.ts";
import { type BoardMeasure, boardFormat } from "./leaderboard-format.ts";

const winRate = (column: string): BoardMeasure => ({ column, metric: column, unit: "%", dimension: "feel", higherIsBetter: true });
/** Longer is neither better nor worse: it is what the raters were shown. */
const length = (column: string, unit: string): BoardMeasure => ({
  column,
  metric: "avg_length",
  unit,
  dimension: "feel",
  higherIsBetter: null,
});

const ALPACA = {
  source: "Leaderboard table of AlpacaEval (tatsu-lab/alpaca_eval), as `alpaca_eval` prints and publishes it.",
  modelColumn: "name",
  harness: "alpaca_eval",
} as const;

/** The judge and the opponent stand in the file's name only, and are not told. */
export const alpacaEval1 = boardFormat({
  ...ALPACA,
  id: "alpaca-eval-1",
  title: "AlpacaEval 1 leaderboard",
  columns: ["name", "win_rate", "avg_length"],
  without: ["length_controlled_winrate"],
  task: "alpaca_eval",
  measures: [winRate("win_rate"), length("avg_length", "characters")],
});

export const alpacaEval2 = boardFormat({
  ...ALPACA,
  id: "alpaca-eval-2",
  title: "AlpacaEval 2 leaderboard",
  columns: ["name", "length_controlled_winrate", "win_rate", "avg_length"],
  task: "alpaca_eval_2",
  measures: [winRate("length_controlled_winrate"), winRate("win_rate"), length("avg_length", "characters")],
});

export const arenaHard = boardFormat({
  id: "arena-hard",
  title: "Arena-Hard leaderboard",
  source: "Leaderboard table of Arena-Hard-Auto with bootstrap bounds, as its `show_result.py` writes it.",
  columns: ["model", "score", "rating_q025", "rating_q975"],
  modelColumn: "model",
  task: "arena_hard",
  harness: "arena-hard-auto",
  measures: [
    {
      column: "score",
      metric: "win_rate",
      unit: "%",
      dimension: "feel",
      higherIsBetter: true,
      interval: (cell) => boundsOf(cell("rating_q025"), cell("rating_q975")),
    },
    length("avg_tokens", "tokens"),
  ],
  evaluatedAtMs: (cell) => dateOf(cell("date")),
});

export const lmArena = boardFormat({
  id: "lmarena",
  title: "LMArena leaderboard",
  source: "Leaderboard table of LMArena (Chatbot Arena) with 95 % intervals and votes.",
  columns: ["model", "arena_score", "votes"],
  modelColumn: "model",
  task: "lmarena",
  harness: "lmarena",
  countColumn: "votes",
  measures: [
    {
      column: "arena_score",
      metric: "arena_score",
      unit: null,
      dimension: "feel",
      higherIsBetter: true,
      interval: (cell, value) => aroundOf(cell("95_pct_ci"), value),
    },
  ],
});

function boundsOf(low: string, high: string): readonly [number, number] | null {
  const [from, to] = [cellNumber(low)?.value ?? null, cellNumber(high)?.value ?? null];
  return from === null || to === null ? null : [from, to];
}

/** `+5/-5`, `±5`: what is above and below the value. */
function aroundOf(text: string, value: number): readonly [number, number] | null {
  const both = /^\s*±\s*(\d+(?:\.\d+)?)\s*$/.exec(text)?.[1];
  if (both !== undefined) return [value - Number(both), value + Number(both)];
  const [, up, down] = /^\s*\+(\d+(?:\.\d+)?)\s*\/\s*-(\d+(?:\.\d+)?)\s*$/.exec(text) ?? [];
  return up === undefined || down === undefined ? null : [value - Number(down), value + Number(up)];
}

/** A day, taken as UTC. */
function dateOf(text: string): number | null {
  const [, year, month, day] = /^\s*(\d{4})-(\d{2})-(\d{2})/.exec(text) ?? [];
  const ms = Date.UTC(Number(year), Number(month) - 1, Number(day));
  return Number.isFinite(ms) ? ms : null;
}
