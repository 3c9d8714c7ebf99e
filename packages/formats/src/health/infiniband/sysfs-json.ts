import { jsonReader } from "../../json/json-reader.ts";
import { utf8Decoder } from "../../text/utf8-decoder.ts";
import type { HealthParser, HealthSink } from "../contract.ts";
import { sysfsReadings } from "./sysfs.ts";

/** Files kept at most: a node with 16 cards shows some thousands. */
const MAX_FILES = 200_000;
const SLICE_BYTES = 1 << 16;

/** One JSON object that maps paths of `/sys` to the content of the files, as node checks save it. Keeps only the files that mean something. */
export function sysfsJsonParser(sink: HealthSink): HealthParser {
  const decoder = utf8Decoder();
  const files: [string, string][] = [];
  let depth = 0;
  let key: string | null = null;
  let isOver = false;
  const reader = jsonReader(
    {
      open: () => void (depth += 1),
      close: () => void (depth -= 1),
      key: (name) => void (key = depth === 1 ? name : null),
      scalar(value, line) {
        if (key === null || depth !== 1 || typeof value !== "string" || !/\/(?:infiniband|net)\//.test(key)) return;
        if (files.length < MAX_FILES) files.push([key, value]);
        else if (!isOver) {
          isOver = true;
          sink.issue({
            line,
            code: "too-many-files",
            message: `There are more than ${MAX_FILES} files; this one and those after it are left out.`,
          });
        }
      },
      resumed: () => undefined,
      fault: (message, line) =>
        sink.issue({ line, code: "bad-json", message: `The JSON is damaged here: ${message}; the rest is not read.` }),
    },
    { resumeDepth: null },
  );
  return {
    push(chunk) {
      for (let at = 0; at < chunk.length && !reader.stopped(); at += SLICE_BYTES)
        reader.push(decoder.push(chunk.subarray(at, at + SLICE_BYTES)));
    },
    end() {
      reader.push(decoder.end());
      if (!reader.end() && !reader.stopped())
        sink.issue({ line: reader.line(), code: "unfinished-document", message: "The document ends inside a value: it was cut." });
      for (const reading of sysfsReadings(files)) sink.reading(reading);
    },
  };
}
