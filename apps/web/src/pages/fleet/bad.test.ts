import { describe, expect, it } from "vitest";
import { toggled, withBad } from "./bad.ts";
import { MAX_BAD } from "./search.ts";

describe("the GPUs chosen as bad", () => {
  it("come and go with a press each, and stop where a link is full", () => {
    expect(toggled(["a"], "b")).toEqual(["a", "b"]);
    expect(toggled(["a", "b"], "a")).toEqual(["b"]);
    const full = Array.from({ length: MAX_BAD }, (_, index) => `g${index}`);
    expect(toggled(full, "one more")).toBe(full);
    expect(toggled(full, "g3")).toHaveLength(MAX_BAD - 1);
  });

  it("leave no trace in the URL once there is none", () => {
    expect(withBad({ gpu: "x", bad: ["a"], among: "run" }, [])).toEqual({ gpu: "x" });
    expect(withBad({ gpu: "x" }, ["a"])).toEqual({ gpu: "x", bad: ["a"] });
  });
});
