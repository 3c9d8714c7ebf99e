import { getRouteApi } from "@tanstack/react-router";
import type { Passport } from "@trainwatch/core";
import {
  Columns,
  EqualColumns,
  formatInteger,
  HiddenHeading,
  Page,
  Rule,
  SkeletonBlock,
  SkeletonRows,
  SkeletonVerdicts,
} from "@trainwatch/ui";
import { usePassport } from "../../data/checkpoints.ts";
import { LoadedView } from "../../loaded-view/loaded-view.tsx";
import { PassportBefore } from "./passport-before.tsx";
import { CHARTS_PX, PassportCharts } from "./passport-charts.tsx";
import { PassportDecisions } from "./passport-decisions.tsx";
import { PassportDoubts } from "./passport-doubts.tsx";
import { PassportFacts } from "./passport-facts.tsx";
import { PassportLineage } from "./passport-lineage.tsx";
import { PassportScores } from "./passport-scores.tsx";
import { PassportTitle } from "./passport-title.tsx";
import { PassportVerdicts } from "./passport-verdicts.tsx";
import { TurnNotice } from "./turn-notice.tsx";

const route = getRouteApi("/checkpoints/$checkpointId");

/** One checkpoint: six verdicts, what its weights have seen, where it stands against the turning point. */
export function CheckpointPage() {
  const { checkpointId } = route.useParams();
  const passport = usePassport(checkpointId);
  return (
    <Page label="Checkpoint passport">
      <LoadedView loaded={passport} what="The passport" skeleton={<PassportSkeleton />}>
        {(data) => <PassportView passport={data} />}
      </LoadedView>
    </Page>
  );
}

function PassportView({ passport }: { readonly passport: Passport }) {
  return (
    <>
      <title>{`${passport.run.name}, step ${formatInteger(passport.checkpoint.step)} · Trainwatch`}</title>
      <PassportTitle passport={passport} />
      <TurnNotice passport={passport} />
      <PassportVerdicts passport={passport} />
      <PassportLineage passport={passport} />
      <Rule />
      <Columns
        size="wide"
        asideLabel="Facts, decisions and doubts"
        aside={
          <>
            <PassportFacts passport={passport} />
            <PassportDecisions passport={passport} />
            <Rule />
            <PassportDoubts passport={passport} />
          </>
        }
      >
        <PassportCharts passport={passport} />
        <Rule />
        <EqualColumns grow>
          <PassportScores passport={passport} />
          <PassportBefore passport={passport} />
        </EqualColumns>
      </Columns>
    </>
  );
}

function PassportSkeleton() {
  return (
    <>
      <title>Checkpoint · Trainwatch</title>
      <HiddenHeading>Checkpoint passport</HiddenHeading>
      <SkeletonVerdicts label="the verdicts" count={6} />
      <SkeletonBlock label="the lineage" heightPx={92} />
      <SkeletonBlock label="charts" heightPx={CHARTS_PX} />
      <SkeletonRows label="scores" rows={6} heightPx={24} />
    </>
  );
}
