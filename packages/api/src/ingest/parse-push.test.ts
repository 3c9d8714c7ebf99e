import { describe, expect, it } from "vitest";
import { quoteBareNonFinite } from "./bare-non-finite.ts";
import { parsePush } from "./parse-push.ts";

const whole = { source: "s", seq: 0, run: { project: "p", name: "r" }, series: [{ metric: "loss" }] };
const nested = (levels: number): unknown => Array.from({ length: levels }).reduce<unknown>((inner) => [inner], 1);
const column = { series: 0, step: [1, 2], value: [1, 2] };

function refusal(body: unknown): unknown {
  try {
    parsePush(body);
  } catch (error) {
    return error;
  }
  return undefined;
}

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
      badValues: [],
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
    ["nonFinite that is no list", { ...whole, columns: [{ ...column, nonFinite: 3 }] }, "columns[0].nonFinite"],
    ["nonFinite without an index", { ...whole, columns: [{ ...column, nonFinite: ["NaN"] }] }, "columns[0].nonFinite[0]"],
    ["nonFinite with another word", { ...whole, columns: [{ ...column, nonFinite: [[0, "nan"]] }] }, "columns[0].nonFinite[0][1]"],
    ["a checkpoint at half a step", { ...whole, checkpoints: [{ step: 0.5 }] }, "checkpoints[0].step"],
    ["an event without text", { ...whole, events: [{ kind: "x" }] }, "events[0].text"],
    ["an event at a time beyond the calendar", { ...whole, events: [{ kind: "x", text: "", timeMs: 1e300 }] }, "events[0].timeMs"],
    ["an event before 1970", { ...whole, events: [{ kind: "x", text: "", timeMs: -1 }] }, "events[0].timeMs"],
    ["a checkpoint saved beyond the calendar", { ...whole, checkpoints: [{ step: 1, savedAtMs: 1e300 }] }, "checkpoints[0].savedAtMs"],
    ["a checkpoint of an endless kind", { ...whole, checkpoints: [{ step: 1, kind: "k".repeat(65) }] }, "checkpoints[0].kind"],
    ["an assignment of an endless attempt", { ...whole, assignments: [{ attempt: "a".repeat(129) }] }, "assignments[0].attempt"],
    ["an assignment 5,000 levels deep", { ...whole, assignments: [{ rank: 0 }, { at: nested(5000) }] }, "assignments[1].at"],
    ["an end of another kind", { ...whole, ended: "maybe" }, "ended"],
    ["negative GPUs", { ...whole, metadata: { gpus: -8 } }, "metadata.gpus"],
  ])("refuses %s and says where it is", (_name, body, path) => {
    const thrown = refusal(body);
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

  it.each<[string, string]>([
    ["NUL", "a\0b"],
    ["the first half of a pair", "a\ud800b"],
    ["the second half of a pair", "\udc00"],
    ["a pair the wrong way round", "\udc00\ud800"],
  ])("refuses %s in any text of a push and names the field", (_name, text) => {
    const places: readonly (readonly [path: string, body: object])[] = [
      ["source", { source: text }],
      ["run.project", { run: { project: text, name: "r" } }],
      ["run.name", { run: { project: "p", name: text } }],
      ["attempt", { attempt: text }],
      ["metadata.cluster", { metadata: { cluster: text } }],
      ["series[0].metric", { series: [{ metric: text }] }],
      ["series[0].unit", { series: [{ metric: "loss", unit: text }] }],
      ["series[0].labels.host", { series: [{ metric: "loss", labels: { host: text } }] }],
      [`series[0].labels.${JSON.stringify(text)}`, { series: [{ metric: "loss", labels: { [text]: "x" } }] }],
      ["checkpoints[0].kind", { checkpoints: [{ step: 1, kind: text }] }],
      ["checkpoints[0].path", { checkpoints: [{ step: 1, path: text }] }],
      ["checkpoints[0].reason", { checkpoints: [{ step: 1, reason: text }] }],
      ["events[0].kind", { events: [{ kind: text, text: "" }] }],
      ["events[0].text", { events: [{ kind: "x", text }] }],
      ["assignments[0].node", { assignments: [{ node: text }] }],
      ["assignments[0].gpus[1].id", { assignments: [{ gpus: [{}, { id: text }] }] }],
    ];
    for (const [path, body] of places) expect(refusal({ ...whole, ...body })).toMatchObject({ code: "bad-request", details: { path } });
  });

  it("takes a nonFinite entry that is said twice once, and refuses one that is given two words", () => {
    const twice = [
      [0, "NaN"],
      [0, "NaN"],
      [1, "Infinity"],
      [1, "NaN"],
      [1, "NaN"],
    ];
    const [parsed] = parsePush({ ...whole, columns: [{ ...column, value: [null, null], nonFinite: twice }] }).columns;
    expect(parsed?.value[0]).toBeNaN();
    expect([parsed?.missing, parsed?.badIndexes]).toEqual([null, [1]]);
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
