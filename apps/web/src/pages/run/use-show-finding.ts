import type { Finding, RunDetail } from "@trainwatch/core";
import { useConvertRange } from "../../data/convert-range.ts";
import { shownAxis } from "./axis-choice.ts";
import { useShownView } from "./shown-view.tsx";
import { useRunSearch } from "./use-run-search.ts";
import { around } from "./zoom.ts";

/** Selects a finding and, where its onset is out of view, moves the view there at the same width. */
export function useShowFinding(run: RunDetail): (finding: Finding) => void {
  const { search, go, adjust } = useRunSearch();
  const { ends, steps } = useShownView();
  const convert = useConvertRange();
  const axis = shownAxis(search.axis, run);
  return (finding) => {
    const step = finding.onsetStep;
    const select = (): void => adjust((before) => ({ ...before, finding: finding.id }));
    const { from, to } = ends;
    if (step === null || steps === null || from === null || to === null || (step >= steps.from && step <= steps.to)) {
      select();
      return;
    }
    const move = (x: number): void => go((before) => ({ ...before, axis, finding: finding.id, ...around({ from, to }, x) }));
    // Where the server cannot place the step on this axis the finding is selected all the same.
    convert({ runId: run.id, fromAxis: "step", toAxis: axis, from: step, to: null }).then(
      (place) => (place.from === null ? select() : move(place.from)),
      select,
    );
  };
}
