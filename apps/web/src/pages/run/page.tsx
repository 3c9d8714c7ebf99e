import { getRouteApi } from "@tanstack/react-router";
import type { RunDetail } from "@trainwatch/core";
import { Page, SkeletonBlock, SkeletonReadouts } from "@trainwatch/ui";
import { useRun } from "../../data/runs.ts";
import { LoadedView } from "../../loaded-view/loaded-view.tsx";
import { RunAttempts } from "./run-attempts.tsx";
import { RunNotices } from "./run-notices.tsx";
import { RunReadouts } from "./run-readouts.tsx";
import { RunTabs } from "./run-tabs.tsx";
import { RunTitle } from "./run-title.tsx";
import { useRunGlance } from "./run-glance.ts";
import { ShownViewProvider } from "./shown-view.tsx";

const route = getRouteApi("/runs/$runId");

/** One run: where its line breaks, its state in words, and what was rolled back. */
export function RunPage() {
  const { runId } = route.useParams();
  const run = useRun(runId);
  return (
    <Page label="Run">
      <LoadedView loaded={run} what="The run" skeleton={<RunSkeleton />}>
        {(data) => <RunView run={data} />}
      </LoadedView>
    </Page>
  );
}

function RunView({ run }: { readonly run: RunDetail }) {
  const glance = useRunGlance(run.id);
  return (
    <ShownViewProvider>
      <title>{`${run.name} · Trainwatch`}</title>
      <RunTitle run={run} />
      <RunReadouts run={run} glance={glance} />
      <RunNotices run={run} />
      <RunAttempts run={run} glance={glance} />
      <RunTabs run={run} />
    </ShownViewProvider>
  );
}

/** Blocks of the size of what comes, so that nothing jumps. */
function RunSkeleton() {
  return (
    <>
      <title>Run · Trainwatch</title>
      <SkeletonReadouts label="the run" count={6} />
      <SkeletonBlock label="attempts" heightPx={64} />
      <SkeletonBlock label="charts" heightPx={460} />
    </>
  );
}
