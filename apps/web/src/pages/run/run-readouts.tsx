import type { RunDetail } from "@trainwatch/core";
import { formatCompact, formatDateTime, formatInteger, formatMetric, formatSpan, Readout, ReadoutRow, type Quantity } from "@trainwatch/ui";
import { useNow } from "../../clock/now.tsx";
import { useZone } from "../../zone/zone.tsx";
import type { RunGlance } from "./run-glance.ts";

export interface RunReadoutsProps {
  readonly run: RunDetail;
  readonly glance: RunGlance;
}

/** The run's instruments. A quantity that the run does not have gets no place; one that is missing says why. */
export function RunReadouts({ run, glance }: RunReadoutsProps) {
  const { targetSteps } = run.metadata;
  const throughput = glance.newest("tokens_per_second");
  const stepTimeS = run.stepTimeS ?? glance.newest("step_time");
  const offersTime = run.axes.some((axis) => axis.axis === "time" && axis.available);
  return (
    <ReadoutRow label="Readouts">
      <Readout
        label="Step"
        quantity={{ text: formatInteger(run.lastStep), unit: "" }}
        note={targetSteps === null ? undefined : `of ${formatInteger(targetSteps)}`}
        unknown="no step yet"
      />
      <TokensSeen run={run} consumed={glance.newest("tokens_consumed")} />
      {throughput === null ? null : <Readout label="Throughput" quantity={formatMetric("tokens_per_second", throughput)} />}
      {stepTimeS === null && !offersTime ? null : (
        <Readout
          label="Step time"
          title="Median seconds a step of the newest attempt"
          quantity={formatMetric("step_time", stepTimeS)}
          unknown="too few times"
        />
      )}
      {targetSteps === null || stepTimeS === null || run.state !== "running" ? null : (
        <Eta run={run} stepTimeS={stepTimeS} targetSteps={targetSteps} />
      )}
      <Readout label="Points" quantity={formatCompact(run.pointCount)} note={`in ${formatInteger(run.seriesCount)} series`} />
      <LastSample run={run} />
    </ReadoutRow>
  );
}

function TokensSeen({ run, consumed }: { readonly run: RunDetail; readonly consumed: number | null }) {
  const { tokensPerStep, targetSteps } = run.metadata;
  const offered = run.axes.find((axis) => axis.axis === "tokens");
  if (offered?.available !== true) return null;
  const seen = consumed ?? (tokensPerStep === null || run.lastStep === null ? null : run.lastStep * tokensPerStep);
  const total = tokensPerStep === null || targetSteps === null ? null : words(formatCompact(tokensPerStep * targetSteps));
  return (
    <Readout label="Tokens seen" quantity={formatCompact(seen)} note={total === null ? undefined : `of ${total}`} unknown={offered.why} />
  );
}

function words({ text, unit }: Quantity): string {
  return unit === "" ? text : `${text} ${unit}`;
}

function Eta({ run, stepTimeS, targetSteps }: { readonly run: RunDetail; readonly stepTimeS: number; readonly targetSteps: number }) {
  const nowMs = useNow();
  const { zone } = useZone();
  const left = Math.max(0, targetSteps - (run.lastStep ?? 0));
  const remainingMs = left * stepTimeS * 1000;
  // To the minute: seconds of a date days ahead would claim what nobody knows.
  const minuteMs = Math.round((nowMs + remainingMs) / 60_000) * 60_000;
  const text = formatDateTime(minuteMs, zone, nowMs).replace(/(\d\d:\d\d):00/, "$1");
  return (
    <Readout
      label="ETA at this pace"
      quantity={{ text, unit: "" }}
      title={`${formatInteger(left)} steps at ${words(formatMetric("step_time", stepTimeS))} each`}
    />
  );
}

function LastSample({ run }: { readonly run: RunDetail }) {
  const nowMs = useNow();
  const age = run.lastSampleAtMs === null ? null : Math.max(0, nowMs - run.lastSampleAtMs);
  const span = formatSpan(age);
  return (
    <Readout label="Last sample" quantity={{ text: span.text, unit: age === null ? "" : `${span.unit} ago`.trim() }} unknown="none yet" />
  );
}
