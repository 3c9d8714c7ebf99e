import { describe, expect, it } from "vitest";
import { loggedMetricWords, metricWords } from "./metric-words.ts";
import { MINUS } from "./words.ts";

describe("the words of a metric's values", () => {
  it("write shares of an evaluation per cent, and what lies between two of them in percentage points", () => {
    const words = metricWords("eval/reasoning/accuracy", [0.6148, 0.5637]);
    expect([words.bare(0.6148), words.value(0.5637)]).toEqual(["61.5", "56.4 %"]);
    expect(words.within(0.0511, 0.00411)).toBe("5.1 ± 0.4 pp");
    expect([words.signed(0.0511), words.signed(-0.0511)]).toEqual(["+5.1 pp", `${MINUS}5.1 pp`]);
    expect([words.scaled(0.0511), words.unit, words.apart]).toEqual([5.11, "%", "pp"]);
  });

  it("read a row of scorecards as the log of the same evaluation", () => {
    expect(metricWords("gsm8k|acc|", [0.5]).value(0.5)).toBe("50.0 %");
  });

  it.each(["pass_at_k", "hidden_test_failure", "rollout_ess"])("write %s, a share of training, per cent", (metric) => {
    expect(metricWords(metric, [0.25]).value(0.25)).toBe("25.0 %");
  });

  it("take values for per cent where one of them is above 1, and leave them as they are where one is below 0", () => {
    const words = metricWords("eval/gsm8k/accuracy", [61.3, 0.5]);
    expect([words.value(61.3), words.within(5.1, 0.4), words.value(0.5)]).toEqual(["61.3 %", "5.1 ± 0.4 pp", "0.5 %"]);
    expect(metricWords("eval/gsm8k/accuracy", [-0.2, 0.5]).value(0.5)).toBe("0.500");
    expect(metricWords("eval/gsm8k/accuracy", [-20, 55]).value(55)).toBe("55");
  });

  it("take no fitted level of a share that lies somewhat above 1 for per cent", () => {
    expect(metricWords("eval/gsm8k/accuracy", [0.97, 1.04]).value(0.97)).toBe("97.0 %");
  });

  it("take points of the log above 1 for per cent, however little above", () => {
    const words = loggedMetricWords("eval/gsm8k/acc", [0.4, 1.2]);
    expect([words.value(1.2), words.within(0.8, 0.1), words.scaled(0.8)]).toEqual(["1.2 %", "0.8 ± 0.1 pp", 0.8]);
    expect(loggedMetricWords("eval/gsm8k/acc", [0.4, 1]).value(0.4)).toBe("40.0 %");
    expect(loggedMetricWords("pass_at_k", [0.4, 1.2]).value(1.2)).toBe("1.20");
  });

  it("take the unit of the catalogue at three significant digits", () => {
    expect(metricWords("loss", []).value(2.2)).toBe("2.20 nats");
    expect(metricWords("step_time", []).within(0.286, 0.0012)).toBe("0.286 ± 0.00120 s");
    expect(metricWords("eval/wiki/perplexity", [12]).value(12.345)).toBe("12.3");
    expect(metricWords("somebody's own", []).value(0.5)).toBe("0.500");
  });

  it("show a share that the digits would hide, and say what is no number", () => {
    const words = metricWords("eval/gsm8k/accuracy", [0.5, null, "NaN"]);
    expect([words.value(0.0002), words.value(0), words.value(Number.NaN)]).toEqual(["0.0200 %", "0.0 %", "NaN %"]);
  });
});
