import type { LogFormat } from "./format.ts";
import { headLines } from "./text/head-lines.ts";
import { lineParser, type LineContext, type LineHandler } from "./text/line-parser.ts";
import { readMllog, type MllogEntry } from "./mlperf/mllog-entry.ts";
import { isSummary, saysWhere, stepOf } from "./mlperf/step-of.ts";

const MARK = ":::MLLOG";
/** What the launcher of a submission prints before the first entry: `:::DLPAL ...`, `:::SYSJSON {...}`. */
const LAUNCH_SNIFFED = /^(?:\d+: )?:::(?:DLPAL|SYSJSON|GITCOMMITID)\b/;
/** Distinct facts remembered, so that 512 equal lines of 512 ranks become one. */
const MAX_FACTS = 1024;

export const mlperf = {
  id: "mlperf",
  title: "MLPerf MLLOG",
  source: "MLPerf Training result files: lines `:::MLLOG {json}`, also inside a console log. Steps count samples.",
  sniff(head) {
    const lines = headLines(head);
    if (lines.some((line) => line.includes(`${MARK} {`))) return 0.95;
    return lines.some((line) => LAUNCH_SNIFFED.test(line)) ? 0.8 : 0;
  },
  parser: (sink, options) => lineParser(sink, options, mllogLines),
} satisfies LogFormat;

function mllogLines(context: LineContext): LineHandler {
  const { sink, name } = context;
  const facts = new Map<string, string | number>();
  let globalBatchSize: number | undefined;

  function point(entry: MllogEntry, line: number): void {
    // Throughput rows hold means over a block of steps: not the series of single steps of the same name.
    const prefix = isSummary(entry.numbers) ? "block/" : "";
    const values: [string, number][] = entry.numbers.map(([key, value]) => [name(`${prefix}${key}`), value]);
    const rate = entry.metadata.get("lr");
    if (typeof rate === "number") values.push(["lr", rate]);
    const where = stepOf(entry.metadata, globalBatchSize);
    if (where.fault !== undefined)
      sink.issue({ line, code: "bad-step", message: `The sample count of "${entry.key}" cannot be read: ${where.fault}.` });
    if (where.epoch !== undefined) values.push(["epoch_num", where.epoch]);
    sink.record({ kind: "points", line, step: where.step, stepUnit: "samples", timeMs: entry.timeMs, labels: {}, values });
  }

  function fact(key: string, value: string | number, line: number): void {
    if (key === "global_batch_size" && typeof value === "number") globalBatchSize = value;
    if (facts.get(key) === value || facts.size >= MAX_FACTS) return;
    facts.set(key, value);
    sink.record({ kind: "meta", line, key: name(key), value });
  }

  function entry(found: MllogEntry, line: number): void {
    if (found.key === "run_start") return context.start(line, "run_start", found.timeMs);
    if (found.key === "run_stop") {
      const status = found.metadata.get("status") ?? "unknown";
      return sink.record({
        kind: "note",
        line,
        code: "run-stop",
        step: stepOf(found.metadata, globalBatchSize).step,
        timeMs: found.timeMs,
        text: `run_stop, status ${status}`,
      });
    }
    if (found.eventType !== "POINT_IN_TIME") return;
    if (found.numbers.length > 0 && saysWhere(found.metadata)) point(found, line);
    else if (found.scalar !== undefined) fact(found.key, found.scalar, line);
  }

  return {
    line(text, line) {
      // Ranks may glue several entries into one line.
      for (let at = text.indexOf(MARK); at >= 0;) {
        const next = text.indexOf(MARK, at + MARK.length);
        const found = readMllog(text.slice(at + MARK.length, next < 0 ? text.length : next), name);
        if (found === undefined) sink.issue({ line, code: "bad-json", message: "An MLLOG entry is no readable JSON object with a key." });
        else entry(found, line);
        at = next;
      }
    },
  };
}
