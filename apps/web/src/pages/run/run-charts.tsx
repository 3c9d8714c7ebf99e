import type { Finding, RunDetail } from "@trainwatch/core";
import { Columns, EmptyState, SkeletonBlock } from "@trainwatch/ui";
import { useStackSize } from "@trainwatch/ui/charts";
import { dataOf } from "../../data/loaded.ts";
import { useFindings } from "../../data/runs.ts";
import { FindingsRail } from "./findings-rail.tsx";
import { LaneStack } from "./lane-stack.tsx";
import { LABEL_PX, STACK_PX } from "./stack-measures.ts";

const NO_FINDINGS: readonly Finding[] = [];

/** The chart stack and, beside it, what the detectors said about it. */
export function RunCharts({ run }: { readonly run: RunDetail }) {
  const findings = useFindings(run.id);
  const [ref, size] = useStackSize(LABEL_PX);
  if (run.pointCount === 0) {
    return (
      <EmptyState title="No points yet" command="npx trainwatch import train.log">
        The run is known, but no sample has come in. Send some with ingest.push, or import its log:
      </EmptyState>
    );
  }
  return (
    <Columns scroll asideLabel="Findings" aside={<FindingsRail run={run} loaded={findings} />}>
      <div ref={ref}>
        {size === null ? (
          <SkeletonBlock label="charts" heightPx={STACK_PX} />
        ) : (
          <LaneStack run={run} findings={dataOf(findings)?.items ?? NO_FINDINGS} size={size} />
        )}
      </div>
    </Columns>
  );
}
