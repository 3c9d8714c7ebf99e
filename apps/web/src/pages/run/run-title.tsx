import type { RunDetail } from "@trainwatch/core";
import { Chip, formatCount, SeverityShape, TitleRow } from "@trainwatch/ui";
import { ButtonLink } from "../../routing/link.tsx";
import { runStateWord } from "../../words/run-state.ts";
import { CompareWith } from "./compare-with.tsx";
import { ShareRun } from "./share-run.tsx";

/** Name, state in words with its evidence, facts, and the ways on. */
export function RunTitle({ run }: { readonly run: RunDetail }) {
  const state = runStateWord(run);
  const { gpus, cluster } = run.metadata;
  return (
    <TitleRow
      mark={<SeverityShape mark={state.mark} label={state.word} />}
      title={run.name}
      note={
        <span
          title={run.stateReason ?? state.title}
        >{`${state.word}. ${run.worst === null ? (run.stateReason ?? state.title) : run.worst.summary}`}</span>
      }
      chips={
        <>
          <Chip title="Project">{run.project}</Chip>
          {gpus === null ? null : <Chip>{formatCount(gpus, "GPU")}</Chip>}
          {cluster === null ? null : <Chip title="Cluster">{cluster}</Chip>}
        </>
      }
      actions={
        <>
          <CompareWith run={run} />
          {run.checkpointTotal === 0 ? null : (
            <ButtonLink to="/releases/trends" search={{ run: run.id }} size="small" kind="quiet">
              Trends
            </ButtonLink>
          )}
          <ShareRun run={run} />
          {run.worst === null ? null : (
            <ButtonLink to="/incidents/$incidentId" params={{ incidentId: run.worst.incidentId }} size="small">
              <SeverityShape mark={run.worst.severity} />
              {`Open incident #${run.worst.incidentId}`}
            </ButtonLink>
          )}
        </>
      }
    />
  );
}
