import { describe, expect, it } from "vitest";
import { readRunSearch, without, type RunSearch } from "./search.ts";

describe("the URL of a run page", () => {
  it("A10: keeps axis, range and layout through a reload", () => {
    const search: RunSearch = {
      tab: "metrics",
      axis: "tokens",
      from: 1.5e9,
      to: 2e9,
      metrics: ["loss", "eval/x"],
      scale: { loss: "log" },
      full: ["loss"],
      smooth: 20,
      attempt: "a2",
      compare: 7,
      finding: "abc",
      table: true,
    };
    expect(readRunSearch(JSON.parse(JSON.stringify(search)))).toEqual(search);
  });

  it.each([
    ["nothing", {}, {}],
    ["a range that ends before it begins", { from: 10, to: 5 }, {}],
    ["an unknown axis", { axis: "epoch" }, {}],
    ["an unknown scale", { scale: { loss: "cubic", lr: "log" } }, { scale: { lr: "log" } }],
    ["a list where an object belongs", { scale: ["log"] }, {}],
    ["a smoothing that is not offered", { smooth: 7 }, {}],
    ["one metric alone", { metrics: "loss" }, { metrics: ["loss"] }],
    ["a metric twice", { metrics: ["loss", "loss"] }, { metrics: ["loss"] }],
    ["the tab that is open anyway", { tab: "charts" }, {}],
    ["numbers as text", { from: "100", to: "200" }, { from: 100, to: 200 }],
    ["an attempt that is all digits", { attempt: 7 }, { attempt: "7" }],
  ])("leaves out what does not fit: %s", (_, raw, expected) => {
    expect(readRunSearch(raw)).toEqual(expected);
  });

  it("drops the parts that are named and no others", () => {
    expect(without({ from: 1, to: 2, axis: "step" }, "from", "to")).toEqual({ axis: "step" });
  });
});
