import { utf8Decoder } from "../../text/utf8-decoder.ts";
import { jsonGauge, MOST_VALUE_BYTES } from "../memory-gauge.ts";
import { type EvalParser, type EvalSink, MOST_DOCUMENT_BYTES } from "../format.ts";
import { type JsonValue, readJson } from "./json-value.ts";

/** Bytes decoded at a time, so that one huge chunk does not become one huge string. */
const SLICE_BYTES = 1 << 20;

/**
 * Parser of files that are one JSON document. Holds the text, at most {@link MOST_DOCUMENT_BYTES}; a document that is cut or damaged gives
 * an issue and no records: results without the settings that stand after them would pass for others.
 */
export function documentEval(sink: EvalSink, read: (document: JsonValue) => void): EvalParser {
  const decoder = utf8Decoder();
  let pieces: string[] = [];
  const gauge = jsonGauge();
  let bytes = 0;
  const isTooLarge = (): boolean => bytes > MOST_DOCUMENT_BYTES || gauge.bytes() > MOST_VALUE_BYTES;

  return {
    push(chunk) {
      bytes += chunk.length;
      gauge.add(chunk);
      if (isTooLarge()) pieces = [];
      else for (let at = 0; at < chunk.length; at += SLICE_BYTES) pieces.push(decoder.push(chunk.subarray(at, at + SLICE_BYTES)));
    },
    end() {
      if (isTooLarge())
        return sink.issue({
          line: 1,
          code: "document-too-large",
          message: `The document is larger than the ${Math.ceil(MOST_DOCUMENT_BYTES / (1 << 20))} MiB that are read at once, or holds more values than fit the memory; nothing of it was taken. Write it without its samples, or the samples as JSON lines.`,
        });
      pieces.push(decoder.end());
      const text = pieces.join("");
      pieces = [];
      const document = readJson(text);
      if ("value" in document) return read(document.value);
      sink.issue(
        document.cut
          ? {
              line: document.line,
              code: "unfinished-document",
              message: "The document ends inside a value: it was cut, or is still being written; nothing of it was taken.",
            }
          : { line: document.line, code: "bad-json", message: `The JSON is damaged here: ${document.fault}; nothing of it was taken.` },
      );
    },
  };
}
