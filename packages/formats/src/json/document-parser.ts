import type { LogParser, ParseSink } from "../format.ts";
import { utf8Decoder } from "../text/utf8-decoder.ts";
import { type JsonConsumer, jsonReader } from "./json-reader.ts";

/** Bytes decoded at a time, so that one huge chunk does not become one huge string. */
const SLICE_BYTES = 1 << 16;

export interface DocumentHandler extends Omit<JsonConsumer, "fault"> {
  /** After the last byte; `whole` is false when the document was cut or broken. */
  end(whole: boolean): void;
}

export interface DocumentOptions {
  /** Depth of the array whose elements can be skipped one by one when they are damaged; see `resumeDepth` of the reader. */
  readonly rowsAt: number | null;
}

/** Makes a parser of a handler of JSON events: decoding, faults and the end are told in one way for all JSON documents. */
export function documentParser(sink: ParseSink, handler: DocumentHandler, { rowsAt }: DocumentOptions): LogParser {
  const decoder = utf8Decoder();
  let faulty = false;
  const reader = jsonReader(
    {
      open: (kind, line) => handler.open(kind, line),
      close: (kind, line) => handler.close(kind, line),
      key: (name, line) => handler.key(name, line),
      scalar: (value, line) => handler.scalar(value, line),
      resumed: (depth) => handler.resumed(depth),
      fault(message, line) {
        faulty = true;
        const rest = reader.depth() >= (rowsAt ?? Number.POSITIVE_INFINITY) ? "reading goes on with the next row" : "the rest is not read";
        sink.issue({ line, code: "bad-json", message: `The JSON is damaged here: ${message}; ${rest}.` });
      },
    },
    { resumeDepth: rowsAt },
  );

  return {
    push(chunk) {
      for (let at = 0; at < chunk.length && !reader.stopped(); at += SLICE_BYTES)
        reader.push(decoder.push(chunk.subarray(at, at + SLICE_BYTES)));
    },
    end() {
      reader.push(decoder.end());
      const ended = reader.end();
      if (!ended && !reader.stopped()) {
        sink.issue({
          line: reader.line(),
          code: "unfinished-document",
          message: "The document ends inside a value: it was cut, or is still being written.",
        });
      }
      handler.end(ended && !faulty);
    },
  };
}
