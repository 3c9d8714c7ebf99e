import { describe, expect, it } from "vitest";
import { quoteBareNonFinite } from "./bare-non-finite.ts";
import { parsePush } from "./parse-push.ts";

const whole = { source: "s", seq: 0, run: { project: "p", name: "r" }, series: [{ metric: "loss" }] };
const column = { series: 0, step: [1, 2], value: [1, 2] };

describe("parsePush", () => {
  it("unpacks columns and fills in what may be left out", () => {
    const push = parsePush({ ...whole, columns: [{ ...column, time: [1000, null] }] });
    expect(push).toMatchObject({ series: [{ metric: "loss", labels: {} }], checkpoints: [], events: [], assignments: [] });
    expect(push.columns[0]).toEqual({
      series: 0,
      step: Float64Array.of(1, 2),
      time: Float64Array.of(1000, Number.NaN),
      value: Float64Array.of(1, 2),
      missing: null,
      badIndexes: [],
    });
  });

  it.each<[string, unknown, string]>([
    ["no object", "hello", "body"],
    ["a list", [], "body"],
    ["no source", { ...whole, source: undefined }, "source"],
    ["an empty source", { ...whole, source: " " }, "source"],
    ["a number as source", { ...whole, source: 5 }, "source"],
    ["a negative seq", { ...whole, seq: -1 }, "seq"],
    ["a seq that is no whole number", { ...whole, seq: 1.5 }, "seq"],
    ["no run", { ...whole, run: undefined }, "run"],
    ["a run without a name", { ...whole, run: { project: "p" } }, "run.name"],
    ["an attempt of 200 letters", { ...whole, attempt: "a".repeat(200) }, "attempt"],
    ["a series without a metric", { ...whole, series: [{ metric: "loss" }, {}] }, "series[1].metric"],
    ["a label that is a number", { ...whole, series: [{ metric: "loss", labels: { rank: 3 } }] }, "series[0].labels.rank"],
    [
      "17 labels",
      { ...whole, series: [{ metric: "loss", labels: Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`l${index}`, ""])) }] },
      "series[0].labels",
    ],
    ["1,025 series", { ...whole, series: Array.from({ length: 1025 }, () => ({ metric: "loss" })) }, "series"],
    ["columns that are no list", { ...whole, columns: {} }, "columns"],
    ["4,097 columns", { ...whole, columns: Array.from({ length: 4097 }, () => column) }, "columns"],
    ["a column that is null", { ...whole, columns: [null] }, "columns[0]"],
    ["a column of no series", { ...whole, columns: [{ ...column, series: -1 }] }, "columns[0].series"],
    ["a column without values", { ...whole, columns: [{ series: 0, step: [1] }] }, "columns[0].value"],
    ["a step that is text", { ...whole, columns: [column, { ...column, step: [1, "2"] }] }, "columns[1].step[1]"],
    ["a step that is null", { ...whole, columns: [{ ...column, step: [null, 2] }] }, "columns[0].step[0]"],
    ["a time that is text", { ...whole, columns: [{ ...column, time: ["2026-01-01", 2] }] }, "columns[0].time[0]"],
    ["a value that is text", { ...whole, columns: [{ ...column, value: [1, "high"] }] }, "columns[0].value[1]"],
    ["a value that is a list", { ...whole, columns: [{ ...column, value: [[1], 2] }] }, "columns[0].value[0]"],
    ["a value that is true", { ...whole, columns: [{ ...column, value: [true, 2] }] }, "columns[0].value[0]"],
    ["nonFinite that is no list", { ...whole, columns: [{ ...column, nonFinite: 3 }] }, "columns[0].nonFinite"],
    ["nonFinite without an index", { ...whole, columns: [{ ...column, nonFinite: ["NaN"] }] }, "columns[0].nonFinite[0]"],
    ["nonFinite with another word", { ...whole, columns: [{ ...column, nonFinite: [[0, "nan"]] }] }, "columns[0].nonFinite[0][1]"],
    ["a checkpoint at half a step", { ...whole, checkpoints: [{ step: 0.5 }] }, "checkpoints[0].step"],
    ["an event without text", { ...whole, events: [{ kind: "x" }] }, "events[0].text"],
    ["an end of another kind", { ...whole, ended: "maybe" }, "ended"],
    ["negative GPUs", { ...whole, metadata: { gpus: -8 } }, "metadata.gpus"],
  ])("refuses %s and says where it is", (_name, body, path) => {
    let thrown: unknown;
    try {
      parsePush(body);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ code: "bad-request", details: { path } });
    expect(String(thrown)).toContain(path);
  });

  it("B7: reads NaN bare, as text in any case and as 1e999, and takes null for missing", () => {
    const body = `{"source":"s","seq":0,"run":{"project":"p","name":"r"},"series":[{"metric":"loss"}],
      "columns":[{"series":0,"step":[1,2,3,4,5,6,7,8],"value":[NaN,"NaN","nan",null,1e999,-Infinity,"-inf",null],"nonFinite":[[7,"Infinity"]]}]}`;
    const [parsed] = parsePush(JSON.parse(quoteBareNonFinite(body))).columns;
    expect(Array.from(parsed?.value ?? [])).toEqual([
      Number.NaN,
      Number.NaN,
      Number.NaN,
      Number.NaN,
      Infinity,
      -Infinity,
      -Infinity,
      Infinity,
    ]);
    expect(Array.from(parsed?.missing ?? [])).toEqual([0, 0, 0, 1, 0, 0, 0, 0]);
  });

  it("keeps nonFinite that names no null for a refusal, not for an error", () => {
    const [parsed] = parsePush({
      ...whole,
      columns: [
        {
          ...column,
          nonFinite: [
            [0, "NaN"],
            [9, "NaN"],
          ],
        },
      ],
    }).columns;
    expect(parsed?.badIndexes).toEqual([0, 9]);
  });
});
