import type { Axis, RunDetail } from "@trainwatch/core";
import { useState } from "react";
import { useConvertRange } from "../../data/convert-range.ts";
import { failureOf } from "../../data/failure.ts";
import { without } from "./search.ts";
import { useRunSearch } from "./use-run-search.ts";

export interface AxisSwitch {
  readonly switchTo: (axis: Axis) => void;
  /** Why the last switch could not keep the range. */
  readonly failure: string | null;
}

/** Changes the x axis and keeps what is seen: the same stretch of the run, converted by the server (A10). */
export function useAxisSwitch(run: RunDetail, current: Axis): AxisSwitch {
  const { search, go } = useRunSearch();
  const convert = useConvertRange();
  const [failure, setFailure] = useState<string | null>(null);
  const switchTo = (axis: Axis): void => {
    if (axis === current) return;
    convert({ runId: run.id, fromAxis: current, toAxis: axis, from: search.from ?? null, to: search.to ?? null }).then(
      ({ from, to }) => {
        setFailure(null);
        go((before) => ({ ...without(before, "from", "to"), axis, ...(from === null ? {} : { from }), ...(to === null ? {} : { to }) }));
      },
      (error: unknown) => setFailure(`The range could not be converted to ${axis}: ${failureOf(error).message}`),
    );
  };
  return { switchTo, failure };
}
