import { describe, expect, it } from "vitest";
import { nameFiles, parseRunName } from "./run-name.ts";

describe("nameFiles", () => {
  const cases: readonly (readonly [readonly string[], readonly string[]])[] = [
    [["train.log"], ["train"]],
    [
      ["/data/train.log.gz", "eval.csv"],
      ["train", "eval"],
    ],
    [
      ["run/checkpoint-1000/trainer_state.json", "run/checkpoint-2000/trainer_state.json"],
      ["checkpoint-1000/trainer_state", "checkpoint-2000/trainer_state"],
    ],
    [
      ["a/x/log.txt", "b/x/log.txt", "other.txt"],
      ["a/x/log", "b/x/log", "other"],
    ],
    [["-"], ["stdin"]],
    [["events.out.tfevents.1585769947.cvp"], ["events.out.tfevents.1585769947.cvp"]],
    [[".log"], [".log"]],
  ];
  for (const [paths, names] of cases)
    it(`calls ${paths.join(" and ")} ${names.join(" and ")}`, () => expect(nameFiles(paths)).toEqual(names));

  it("gives up on files it cannot tell apart instead of looping", () => {
    expect(nameFiles(["same.log", "same.log"])).toEqual(["same", "same"]);
  });
});

describe("parseRunName", () => {
  it("takes project and name, or a name alone", () => {
    expect(parseRunName("lab/llm-7b")).toEqual({ project: "lab", name: "llm-7b" });
    expect(parseRunName("lab/llm/7b")).toEqual({ project: "lab", name: "llm/7b" });
    expect(parseRunName("llm-7b")).toEqual({ project: "default", name: "llm-7b" });
    for (const wrong of ["", "/", "lab/", "/x", `lab/${"x".repeat(257)}`]) expect(parseRunName(wrong)).toBeNull();
  });
});
