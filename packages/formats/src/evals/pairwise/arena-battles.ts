import { decodeUtf8 } from "../../text/utf8-decoder.ts";
import { bodyText, keyOrNull, keyText } from "../record-sink.ts";
import type { EvalFormat, EvalOptions, EvalParser, EvalSink } from "../format.ts";
import { documentEval } from "../json/document.ts";
import { fieldOf, listOf, objectOf, textOf } from "../json/json-fields.ts";
import { headValues, type JsonObject, type JsonValue } from "../json/json-value.ts";
import { lineEval } from "../json/lines.ts";
import { placedSink } from "../placed-sink.ts";
import { subjectOf } from "../subject.ts";
import { csvDocumentParser, hasColumns, headColumns } from "../table/csv-document.ts";
import { characters, promptKeys } from "./pair.ts";

/** Battles of two models before raters or a judge, as LMSYS and others publish them: a JSON list or a JSON object a line. */
export const arenaBattles = {
  id: "arena-battles",
  title: "Arena battles",
  source: "Pairwise battles with `model_a`, `model_b` and `winner`, a JSON list or JSON lines, as Chatbot Arena publishes them.",
  sniff(head) {
    const [first] = headValues(decodeUtf8(head), 1);
    return isBattle(objectOf(listOf(first)?.[0] ?? first)) ? 0.9 : 0;
  },
  parser: battleParser,
} satisfies EvalFormat;

/** The same as a table. */
export const arenaTable = {
  id: "arena-csv",
  title: "Arena battles, CSV",
  source: "Table of pairwise battles with `model_a`, `model_b` and `winner` (or `winner_model_a`, …), as Chatbot Arena's Kaggle sets.",
  sniff(head) {
    const columns = headColumns(head);
    return hasColumns(columns, "model_a", "model_b") &&
      (hasColumns(columns, "winner") || hasColumns(columns, "winner_model_a", "winner_model_b"))
      ? 0.9
      : 0;
  },
  parser: (sink) =>
    csvDocumentParser(sink, ({ columns, rows }) => {
      const read = battleReader(sink);
      for (const { line, cells } of rows) read(Object.fromEntries(columns.map((name, at) => [name.toLowerCase(), cells[at] ?? ""])), line);
    }),
} satisfies EvalFormat;

function isBattle(row: JsonObject | null): boolean {
  return row !== null && Object.hasOwn(row, "model_a") && Object.hasOwn(row, "model_b") && Object.hasOwn(row, "winner");
}

/** A list or lines: the first sign tells. */
function battleParser(sink: EvalSink, _options: EvalOptions): EvalParser {
  const read = battleReader(sink);
  let chosen: EvalParser | null = null;
  const choose = (chunk: Uint8Array): EvalParser | null => {
    const first = chunk.find((byte) => byte > 0x20 && byte !== 0xef && byte !== 0xbb && byte !== 0xbf);
    if (first === undefined) return null;
    if (first !== 0x5b) return lineEval(sink, { row: read });
    return documentEval(sink, (document) => {
      for (const value of listOf(document) ?? []) read(objectOf(value) ?? {}, 1);
    });
  };
  return {
    push(chunk) {
      chosen ??= choose(chunk);
      chosen?.push(chunk);
    },
    end() {
      if (chosen === null) sink.issue({ line: 1, code: "no-rows", message: "The file holds no battles." });
      chosen?.end();
    },
  };
}

function battleReader(outer: EvalSink): (row: JsonObject, line: number) => void {
  const sink = placedSink(outer);
  const keyOf = promptKeys();
  return (row, line) => {
    sink.at(line);
    const [left, right] = [textOf(fieldOf(row, "model_a"))?.trim(), textOf(fieldOf(row, "model_b"))?.trim()];
    if (!left || !right) return sink.issue({ line, code: "bad-row", message: "A battle does not name both models; it was left out." });
    const preference = shareOfSecond(row);
    if (preference === null)
      sink.issue({ line, code: "not-judged", message: "A battle has no winner that can be read; it counts as not judged." });
    const [leftAnswer, rightAnswer] = [answerOf(row, "a"), answerOf(row, "b")];
    const prompt = promptOf(row);
    const id = ["question_id", "id", "conversation_id", "battle_id"].map((name) => fieldOf(row, name)).find(isId);
    sink.record({
      kind: "pair",
      task: (textOf(fieldOf(row, "task")) ?? "arena").slice(0, 512),
      key: id === undefined ? keyOf(prompt ?? `${left}\n${right}\n${line}`) : keyText(String(id)),
      left: subjectOf(left),
      right: subjectOf(right),
      preference,
      leftLength: leftAnswer === null ? null : characters(leftAnswer),
      rightLength: rightAnswer === null ? null : characters(rightAnswer),
      judge: keyOrNull(textOf(fieldOf(row, "judge"))),
      category: keyOrNull(textOf(fieldOf(row, "category")) ?? textOf(fieldOf(row, "language"))),
      prompt: prompt === null ? null : bodyText(prompt),
      leftAnswer: leftAnswer === null ? null : bodyText(leftAnswer),
      rightAnswer: rightAnswer === null ? null : bodyText(rightAnswer),
    });
  };
}

const isId = (value: JsonValue | undefined): value is string | number =>
  (typeof value === "string" && value.trim() !== "") || typeof value === "number";

const WINNERS: Readonly<Record<string, number>> = {
  model_a: 0,
  a: 0,
  left: 0,
  model_b: 1,
  b: 1,
  right: 1,
  tie: 0.5,
  "tie (bothbad)": 0.5,
  bothbad: 0.5,
};

/** Share for the second model; a tie of two bad answers is a tie. */
function shareOfSecond(row: JsonObject): number | null {
  const winner = fieldOf(row, "winner");
  if (typeof winner === "string") {
    const own = WINNERS[winner.trim().toLowerCase()];
    if (own !== undefined) return own;
    if (winner.trim() === fieldOf(row, "model_a")) return 0;
    return winner.trim() === fieldOf(row, "model_b") ? 1 : null;
  }
  const flags = ["winner_model_a", "winner_model_b", "winner_tie"].map((name) => Number(fieldOf(row, name) ?? 0));
  if (flags.reduce((sum, flag) => sum + flag, 0) !== 1) return null;
  return flags[0] === 1 ? 0 : flags[1] === 1 ? 1 : 0.5;
}

function answerOf(row: JsonObject, side: "a" | "b"): string | null {
  const plain =
    textOf(fieldOf(row, `response_${side}`)) ?? textOf(fieldOf(row, `answer_${side}`)) ?? textOf(fieldOf(row, `output_${side}`));
  return plain ?? spoken(fieldOf(row, `conversation_${side}`), "assistant");
}

function promptOf(row: JsonObject): string | null {
  return textOf(fieldOf(row, "prompt")) ?? textOf(fieldOf(row, "question")) ?? spoken(fieldOf(row, "conversation_a"), "user");
}

/** What one side of a conversation said. */
function spoken(conversation: JsonValue | undefined, role: string): string | null {
  const messages = (listOf(conversation) ?? []).map(objectOf).filter((message) => fieldOf(message, "role") === role);
  const texts = messages.flatMap((message) => textOf(fieldOf(message, "content")) ?? []);
  return texts.length === 0 ? null : texts.join("\n\n");
}
