import type { RunDetail } from "@trainwatch/core";
import { EmptyState } from "@trainwatch/ui";
import { attemptStrip, AttemptsStrip, useStackSize } from "@trainwatch/ui/charts";
import { useMemo } from "react";
import { useConvertRange } from "../../data/convert-range.ts";
import { shownAxis } from "./axis-choice.ts";
import type { RunGlance } from "./run-glance.ts";
import { useShownView } from "./shown-view.tsx";
import { useRunSearch } from "./use-run-search.ts";
import { LABEL_PX } from "./stack-measures.ts";
import { zoomRange } from "./zoom.ts";

/** The launches of the run over its steps; a range dragged out here is what the charts below show. */
export function RunAttempts({ run, glance }: { readonly run: RunDetail; readonly glance: RunGlance }) {
  const [ref, size] = useStackSize(LABEL_PX);
  const { search, go } = useRunSearch();
  const convert = useConvertRange();
  const { steps: shown } = useShownView();
  const strip = useMemo(() => attemptStrip(run.attempts, run.notes), [run.attempts, run.notes]);
  if (strip === null) return <EmptyState title="No points yet">The run is known, but nothing with a step has come in.</EmptyState>;
  const axis = shownAxis(search.axis, run);
  const show = (from: number, to: number): void => {
    const steps = zoomRange("step", from, to);
    // Where the server cannot place the steps on the axis, the view goes back to steps.
    const stay = (): void => go((before) => ({ ...before, ...steps, axis: "step" }));
    convert({ runId: run.id, fromAxis: "step", toAxis: axis, ...steps }).then(
      (range) =>
        range.from === null || range.to === null
          ? stay()
          : go((before) => ({ ...before, axis, from: range.from ?? steps.from, to: range.to ?? steps.to })),
      stay,
    );
  };
  return (
    <div ref={ref}>
      {size === null ? null : (
        <AttemptsStrip strip={strip} preview={glance.window} previewMetric="loss" shown={shown} size={size} onRange={show} />
      )}
    </div>
  );
}
