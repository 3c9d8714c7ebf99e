import { describe, expect, it } from "vitest";
import { type LineageState, type PlainSeries, createLineage, placeBatch } from "./index.ts";

function steps(from: number, to: number, gap = 1): readonly number[] {
  return Array.from({ length: Math.floor((to - from) / gap) + 1 }, (_, index) => from + index * gap);
}

function columns(series: string, step: readonly number[]): PlainSeries {
  return { series, step, value: step };
}

/** What a store that keeps series apart gives for the named one: the rest of the state is of all of them. */
function ofSeries(state: LineageState, series: string): LineageState {
  const isIt = (each: { readonly series: string }): boolean => each.series === series;
  return {
    ...state,
    tracks: state.tracks.map((tracks) => ({ ...tracks, series: tracks.series.filter(isIt) })),
    strands: state.strands.filter(isIt),
  };
}

/** Every step of the loss and every tenth of eval/loss, back from 100 to 65. */
function fallen(): LineageState {
  const lineage = createLineage();
  lineage.goOn([columns("loss", steps(1, 100)), columns("eval/loss", steps(10, 100, 10))]);
  placeBatch(lineage, [{ series: "loss", step: 65, timeMs: null, value: 0.5 }]);
  return lineage.state();
}

describe("a lineage of some series", () => {
  it("tells the attempts by what all series remember, also where it holds all that is undecided", () => {
    const part = createLineage(ofSeries(fallen(), "loss"), "some");
    expect(part.attempts().map(({ branchStep }) => branchStep)).toEqual([null, 60]);
    expect(part.goOn([columns("loss", [66])])).toEqual([{ attempt: "a2", writer: null, flag: null }]);
    const whole = createLineage(fallen());
    whole.goOn([columns("loss", [66])]);
    expect(part.attempts()).toEqual(whole.attempts());
    expect(part.state()).toEqual(ofSeries(whole.state(), "loss"));
  });

  it("takes nothing that falls back to another step: where that branches off only all series tell", () => {
    expect(createLineage(ofSeries(fallen(), "eval/loss"), "some").goOn([columns("eval/loss", [45])])).toBeNull();
    expect(createLineage(fallen()).goOn([columns("eval/loss", [45])])).not.toBeNull();
  });
});
