import { decodeUtf8 } from "../../text/utf8-decoder.ts";
import type { EvalFormat, EvalOptions, EvalSink } from "../format.ts";
import { documentEval } from "../json/document.ts";
import { fieldOf, listOf, objectOf, textOf } from "../json/json-fields.ts";
import { headValues, type JsonObject } from "../json/json-value.ts";
import { placedSink } from "../placed-sink.ts";
import { logFacts, type LogFacts } from "./facts.ts";
import { readResults } from "./results.ts";
import { type SampleReader, sampleReader } from "./samples.ts";

/** Inspect's log as one JSON document: the older of its two forms, and what `inspect log dump` prints. Bare NaN is allowed. */
export const inspectJson = {
  id: "inspect-json",
  title: "Inspect log, JSON",
  source: "Evaluation log of UK AISI's Inspect with `--log-format json`, or of `inspect log dump`.",
  sniff(head) {
    const [document] = headValues(decodeUtf8(head), 1);
    return isLogHead(objectOf(document)) ? 0.95 : 0;
  },
  parser: (sink, options) =>
    documentEval(sink, (document) => {
      const log = objectOf(document);
      if (log === null) return sink.issue({ line: 1, code: "no-rows", message: "The document is no Inspect log." });
      const read = readHead(log, sink, options);
      if (read === null) return;
      const samples = listOf(fieldOf(log, "samples"));
      if (samples === null)
        return sink.issue({ line: 1, code: "no-samples", message: "The log has no samples: only its results were read." });
      for (const value of samples) {
        const sample = objectOf(value);
        if (sample === null) sink.issue({ line: 1, code: "bad-row", message: "A sample is no object; it was left out." });
        else read.sample(sample);
      }
      read.end();
    }),
} satisfies EvalFormat;

/** Whether this is the beginning of a log or of an archive's header. */
export function isLogHead(log: JsonObject | null): boolean {
  const spec = objectOf(fieldOf(log, "eval"));
  return (
    textOf(fieldOf(spec, "task")) !== null &&
    textOf(fieldOf(spec, "model")) !== null &&
    (Object.hasOwn(log ?? {}, "status") || Object.hasOwn(log ?? {}, "version"))
  );
}

/** Reads results; gives what reads the samples; null when the log cannot be attached to anything. */
export function readHead(log: JsonObject, outer: EvalSink, options: EvalOptions): SampleReader | null {
  const sink = placedSink(outer);
  const facts = logFacts(log, options);
  if (facts === null) {
    sink.issue({ line: 1, code: "no-model", message: "The log does not say which task and model it is of; nothing was read." });
    return null;
  }
  const scores = readResults(log, facts, sink);
  tellStatus(log, facts, sink);
  return sampleReader(facts, scores, sink);
}

function tellStatus(log: JsonObject, { status }: LogFacts, sink: EvalSink): void {
  if (status === "success") return;
  const message = textOf(fieldOf(objectOf(fieldOf(log, "error")), "message"));
  const why = message === null ? "" : `: ${message.replace(/\s+/g, " ").slice(0, 200).replace(/\.$/, "")}`;
  const how =
    status === null || status === "started" ? "is not finished" : status === "error" ? "ended with an error" : `was ${status.slice(0, 40)}`;
  sink.issue({ line: 1, code: "not-finished", message: `The evaluation ${how}${why}; its results may be over a part of the samples.` });
}
