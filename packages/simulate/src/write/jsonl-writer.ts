import type { LogWriter } from "./log-writer.ts";

/** Python's `json.dumps`: a value that is not finite is a bare `NaN` or `Infinity`, and so it is here. */
export const jsonlWriter = {
  id: "jsonl",
  title: "One JSON object a line, as Python loggers write it; NaN is a bare token.",
  write(event) {
    if (event.kind !== "point") return "";
    const values = Object.entries(event.values).map(([name, value]) => `"${name}": ${pythonNumber(value)}`);
    return `{"step": ${event.step}, "timestamp": ${event.timeMs / 1000}, ${values.join(", ")}}\n`;
  },
} satisfies LogWriter;

function pythonNumber(value: number): string {
  if (Number.isFinite(value)) return String(Number(value.toPrecision(9)));
  return Number.isNaN(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
}
