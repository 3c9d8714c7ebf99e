import type { RunSummary } from "@trainwatch/core";
import {
  Cell,
  formatDuration,
  formatInteger,
  formatMetric,
  Inline,
  MISSING,
  ProgressBar,
  Row,
  SeverityWord,
  Text,
  Value,
} from "@trainwatch/ui";
import type { ReactNode } from "react";
import { useNow } from "../clock/now.tsx";
import { Link } from "../routing/link.tsx";
import { runStateWord } from "../words/run-state.ts";

export interface RunLineProps {
  readonly run: RunSummary;
  /** Left out where the list has no previews: they would need samples. */
  readonly signal?: ReactNode;
  /** A column of its own; elsewhere the project is the title of the name. */
  readonly showsProject?: boolean | undefined;
  readonly selected?: boolean | undefined;
  readonly rowRef?: ((row: HTMLElement | null) => void) | undefined;
  /** More cells at the end of the row. */
  readonly trailing?: ReactNode;
}

/** One run: state, name, GPUs, step, signal, loss now, age of the last sample. */
export function RunLine({ run, signal, showsProject = false, selected = false, rowRef, trailing }: RunLineProps) {
  const state = runStateWord(run);
  const { gpus } = run.metadata;
  return (
    <Row selected={selected} rowRef={rowRef}>
      <Cell title={state.title}>
        <SeverityWord mark={state.mark}>{state.word}</SeverityWord>
      </Cell>
      <Cell maxWidthPx={280} title={`${run.project}/${run.name}`}>
        <Link to="/runs/$runId" params={{ runId: run.id }} look="plain">
          <Text weight="bold">{run.name}</Text>
        </Link>{" "}
        <Text tone="label">{run.attempt ?? ""}</Text>
      </Cell>
      {showsProject ? (
        <Cell wide maxWidthPx={200} title={run.project}>
          {run.project}
        </Cell>
      ) : null}
      <Cell wide numeric title={gpus === null ? "Not told by the source" : undefined}>
        {formatInteger(gpus)}
      </Cell>
      <Cell wide>
        <StepProgress run={run} />
      </Cell>
      {signal === undefined ? null : <Cell wide>{signal}</Cell>}
      <Cell numeric>
        <Value
          quantity={formatMetric("loss", run.lastLoss)}
          missing="No loss yet"
          tone={typeof run.lastLoss === "string" ? "warning" : undefined}
        />
      </Cell>
      <Cell wide numeric>
        <SampleAge run={run} />
      </Cell>
      {trailing}
    </Row>
  );
}

function StepProgress({ run }: { readonly run: RunSummary }) {
  const { targetSteps } = run.metadata;
  const step = formatInteger(run.lastStep);
  if (targetSteps === null) return <>{step}</>;
  return (
    <Inline>
      <ProgressBar
        share={run.lastStep === null ? null : run.lastStep / targetSteps}
        label={`${step} of ${formatInteger(targetSteps)} steps`}
      />
      <span>
        {step} <Text tone="label">/ {formatInteger(targetSteps)}</Text>
      </span>
    </Inline>
  );
}

function SampleAge({ run }: { readonly run: RunSummary }) {
  const nowMs = useNow();
  if (run.lastSampleAtMs === null) return <Text tone="label">{MISSING}</Text>;
  const late = run.state === "silent" || run.state === "stalled";
  return <Text tone={late ? "warning" : "value"}>{formatDuration(Math.max(0, nowMs - run.lastSampleAtMs))}</Text>;
}
