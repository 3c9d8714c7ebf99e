import { lineSplitter } from "../../text/line-splitter.ts";
import type { EvalParser, EvalSink } from "../format.ts";
import { objectOf } from "./json-fields.ts";
import { type JsonObject, readJson } from "./json-value.ts";

/** Longest line read, in characters: a sample of a long-context task repeats its prompt for each choice. */
export const MAX_EVAL_LINE_CHARS = 32 << 20;

export interface EvalLines {
  /** One line's object; `line` counts from 1. */
  row(row: JsonObject, line: number): void;
  end?(): void;
}

/** Parser of files of one JSON object a line. Holds one line, at most {@link MAX_EVAL_LINE_CHARS} characters. */
export function lineEval(sink: EvalSink, { row, end }: EvalLines): EvalParser {
  const splitter = lineSplitter(
    {
      line(text, line, terminated) {
        if (text.trim() === "") return;
        const read = readJson(text);
        const object = "value" in read ? objectOf(read.value) : null;
        if (object !== null) return row(object, line);
        const cut = "cut" in read && read.cut && !terminated;
        const fault = "fault" in read ? read.fault : "the line holds no object";
        sink.issue({
          line,
          code: cut ? "unfinished-line" : "bad-json",
          message: `The line cannot be read as a JSON object and was left out: ${fault}.`,
        });
      },
      tooLong: (line) =>
        sink.issue({
          line,
          code: "line-too-long",
          message: `The line is longer than ${MAX_EVAL_LINE_CHARS >> 20} million characters and was left out.`,
        }),
    },
    MAX_EVAL_LINE_CHARS,
  );
  return {
    push: (chunk) => splitter.push(chunk),
    end() {
      splitter.end();
      end?.();
    },
  };
}
