import type { RunDetail } from "@trainwatch/core";
import type { PreparedStack } from "@trainwatch/ui/charts/prepare";
import { useState } from "react";
import { useKeys } from "../../keys/keys.tsx";
import { shownAxis } from "./axis-choice.ts";
import { without, type RunSearch } from "./search.ts";
import { useRunSearch } from "./use-run-search.ts";
import { shiftedRange, zoomRange } from "./zoom.ts";

export interface Zoom {
  readonly into: (from: number, to: number) => void;
  /** Back to the range before the last zoom; the whole run after a reload. */
  readonly out: () => void;
  readonly canZoomOut: boolean;
}

interface Before {
  readonly axis: RunSearch["axis"];
  readonly from: number | undefined;
  readonly to: number | undefined;
}

/** Brush to zoom asks anew; each zoom is a place of the history, and zooming out retraces them. */
export function useZoom(run: RunDetail, stack: PreparedStack | null): Zoom {
  const { search, go } = useRunSearch();
  const [trail, setTrail] = useState<readonly Before[]>([]);
  const axis = shownAxis(search.axis, run);
  const set = (range: { readonly from: number; readonly to: number }): void => go((before) => ({ ...before, axis, ...range }));
  const into = (from: number, to: number): void => {
    setTrail((before) => [...before, { axis: search.axis, from: search.from, to: search.to }]);
    set(zoomRange(axis, from, to));
  };
  const out = (): void => {
    const last = trail.at(-1);
    setTrail((before) => before.slice(0, -1));
    go((before) => {
      const open = without(before, "from", "to");
      // A range of another axis does not fit the present one: then the whole run is shown.
      if (last === undefined || (last.axis ?? axis) !== axis) return open;
      return { ...open, ...(last.from === undefined ? {} : { from: last.from }), ...(last.to === undefined ? {} : { to: last.to }) };
    });
  };
  const canZoomOut = search.from !== undefined || search.to !== undefined;
  const shown = stack === null ? null : { from: stack.from, to: stack.to };
  useKeys([
    ...(canZoomOut ? [{ keys: "t z", label: "Zoom out", group: "Charts", run: out } as const] : []),
    ...(shown === null
      ? []
      : [
          { keys: "t ArrowLeft", label: "Shift to earlier", group: "Charts", run: () => set(shiftedRange(shown, -1)) } as const,
          { keys: "t ArrowRight", label: "Shift to later", group: "Charts", run: () => set(shiftedRange(shown, 1)) } as const,
          {
            keys: "t a",
            label: "Hold the range as it is now",
            group: "Charts",
            run: () => set(zoomRange(axis, shown.from, shown.to)),
          } as const,
        ]),
  ]);
  return { into, out, canZoomOut };
}
