import type { RunDetail } from "@trainwatch/core";
import { useKeys } from "../../../keys/keys.tsx";
import { shownAxis } from "../axis-choice.ts";
import { without } from "../search.ts";
import { useRunSearch } from "../use-run-search.ts";
import { zoomRange } from "../zoom.ts";

export interface StepZoom {
  readonly into: (from: number, to: number) => void;
  readonly out: () => void;
  readonly canZoomOut: boolean;
}

/** Ranges of steps in the URL: the axis is written with them, so that the charts of the run read them right. */
export function useStepZoom(run: RunDetail): StepZoom {
  const { search, go } = useRunSearch();
  const isStep = shownAxis(search.axis, run) === "step";
  const canZoomOut = isStep && (search.from !== undefined || search.to !== undefined);
  const out = (): void => go((before) => without(before, "from", "to"));
  useKeys(canZoomOut ? [{ keys: "t z", label: "Zoom out", group: "Charts", run: out }] : []);
  return { into: (from, to) => go((before) => ({ ...before, axis: "step", ...zoomRange("step", from, to) })), out, canZoomOut };
}
