import type { PostTrainingView, RunDetail } from "@trainwatch/core";
import { Columns, EmptyState, SkeletonBlock } from "@trainwatch/ui";
import { useStackSize } from "@trainwatch/ui/charts";
import { usePostTraining } from "../../../data/post-training.ts";
import { LoadedView } from "../../../loaded-view/loaded-view.tsx";
import { LABEL_PX, STACK_PX } from "../stack-measures.ts";
import { useRunSearch } from "../use-run-search.ts";
import { HeldOutNotice } from "./held-out-notice.tsx";
import { PostTrainingCharts } from "./post-training-charts.tsx";
import { PostTrainingFindings } from "./post-training-findings.tsx";
import { NotLogged } from "./not-logged.tsx";
import { RewardCeilingPanel } from "./reward-ceiling-panel.tsx";
import { TurningPointPanel } from "./turning-point-panel.tsx";

/** Reward against held-out results, and the other signs of a policy that goes astray, on one axis. */
export function RunPostTraining({ run }: { readonly run: RunDetail }) {
  const { search } = useRunSearch();
  const attempt = run.attempts.find(({ name }) => name === search.attempt)?.name;
  const loaded = usePostTraining({ runId: run.id, ...(attempt === undefined ? {} : { attempt }) });
  return (
    <LoadedView loaded={loaded} what="The post-training view" skeleton={<SkeletonBlock label="charts" heightPx={STACK_PX} />}>
      {(view) =>
        view.isPostTraining ? (
          <View run={run} view={view} attempt={attempt} />
        ) : (
          <EmptyState title="This run does not look like post-training">
            It logs neither a reward nor a distance to a reference policy.
          </EmptyState>
        )
      }
    </LoadedView>
  );
}

function View({ run, view, attempt }: { readonly run: RunDetail; readonly view: PostTrainingView; readonly attempt: string | undefined }) {
  const [ref, size] = useStackSize(LABEL_PX);
  return (
    <>
      <HeldOutNotice run={run} view={view} />
      <Columns
        scroll
        asideLabel="Turning point and findings"
        aside={
          <>
            <TurningPointPanel run={run} view={view} />
            <RewardCeilingPanel view={view} />
            <PostTrainingFindings run={run} view={view} />
            <NotLogged view={view} />
          </>
        }
      >
        <div ref={ref}>
          {size === null ? (
            <SkeletonBlock label="charts" heightPx={STACK_PX} />
          ) : (
            <PostTrainingCharts run={run} view={view} attempt={attempt} size={size} />
          )}
        </div>
      </Columns>
    </>
  );
}
