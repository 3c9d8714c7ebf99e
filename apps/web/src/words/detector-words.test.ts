import { describe, expect, it } from "vitest";
import { forceWord, parameterWord, precisionWord, readsWord } from "./detector-words.ts";

const parameter = { name: "k", value: 0.5, inForce: 0.5, unit: "σ", meaning: "", least: null, most: null };

describe("a detector in words", () => {
  it("says what is in force of it", () => {
    expect(forceWord({ enabled: true, severity: null, parameters: [parameter] })).toBe("as it came");
    expect(forceWord({ enabled: true, severity: "critical", parameters: [{ ...parameter, inForce: 1 }] })).toBe(
      "1 changed, told as critical",
    );
    expect(forceWord({ enabled: false, severity: "critical", parameters: [] })).toBe("off");
  });

  it("gives precision with its interval, and none where nobody has said", () => {
    expect(precisionWord({ right: 8, wrong: 2, unsure: 5, precision: { share: 0.8, lower: 0.49, upper: 0.943 } })).toBe(
      "8 of 10 right, 80 % (49 to 94)",
    );
    expect(precisionWord({ right: 0, wrong: 0, unsure: 5, precision: null })).toBe("nobody has said");
  });

  it("writes small parameters whole", () => {
    expect(parameterWord(0.0005, "")).toBe("0.0005");
    expect(parameterWord(12_000, "steps")).toBe("12,000 steps");
    expect(parameterWord(-2.5, "σ")).toBe("−2.5 σ");
  });

  it("names metrics of runs and fields of the fleet by their titles", () => {
    expect(readsWord(["loss", "DCGM_FI_DEV_GPU_TEMP_CELSIUS", "my/own"])).toBe("Loss, GPU temperature, my/own");
  });
});
