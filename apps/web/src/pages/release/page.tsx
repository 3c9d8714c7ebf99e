import { getRouteApi } from "@tanstack/react-router";
import type { ReleaseDetail } from "@trainwatch/core";
import { HiddenHeading, Notice, Page, ReleaseLayout, SkeletonBlock, SkeletonRows } from "@trainwatch/ui";
import { useRelease } from "../../data/releases.ts";
import { LoadedView } from "../../loaded-view/loaded-view.tsx";
import { BreaksPart } from "./breaks-part.tsx";
import { CellDetail } from "./cell-detail.tsx";
import { NotesPart } from "./notes-part.tsx";
import { proposalOf } from "./proposed.ts";
import { ReleaseRail } from "./release-rail.tsx";
import { ReleaseTitle } from "./release-title.tsx";
import { RowsPart } from "./rows-part.tsx";
import { shownCell } from "./shown-cell.ts";
import { useReleaseSearch } from "./use-release-search.ts";

const route = getRouteApi("/releases/$releaseId");

/** Which checkpoint ships: what each is better and worse at, which criteria it fails, and who has signed. */
export function ReleasePage() {
  const { releaseId } = route.useParams();
  const release = useRelease(releaseId);
  return (
    <Page label="Release">
      <LoadedView loaded={release} what={`Release ${releaseId}`} skeleton={<ReleaseSkeleton />}>
        {(detail) => <Release detail={detail} />}
      </LoadedView>
    </Page>
  );
}

function Release({ detail }: { readonly detail: ReleaseDetail }) {
  const { search } = useReleaseSearch();
  const proposal = proposalOf(detail, search.ship);
  const cell = search.detail === true ? shownCell(detail.comparison, search) : null;
  return (
    <>
      <title>{`${detail.spec.name} · Trainwatch`}</title>
      <ReleaseTitle detail={detail} />
      {detail.frozen !== null && detail.frozen.changedRows > 0 ? (
        <Notice mark="warning" lit>
          {`${detail.frozen.changedRows} ${detail.frozen.changedRows === 1 ? "row has" : "rows have"} changed since it was signed. The signed copy stands as it was.`}
        </Notice>
      ) : null}
      <ReleaseLayout
        rows={<RowsPart detail={detail} lit={proposal?.column ?? null} />}
        broadRail={cell !== null}
        railLabel={cell === null ? "Decision" : "The selected cell"}
        rail={cell === null ? <ReleaseRail detail={detail} proposal={proposal} /> : <CellDetail detail={detail} shown={cell} />}
        below={
          <>
            <BreaksPart detail={detail} column={proposal?.column ?? null} />
            <NotesPart notes={detail.comparison.notes} />
          </>
        }
      />
    </>
  );
}

function ReleaseSkeleton() {
  return (
    <>
      <title>Release · Trainwatch</title>
      <HiddenHeading>Release</HiddenHeading>
      <ReleaseLayout
        broadRail={false}
        railLabel="Decision"
        rows={<SkeletonRows label="the comparison" rows={20} heightPx={26} />}
        rail={<SkeletonBlock label="the decision" heightPx={480} />}
        below={<SkeletonRows label="what it breaks" rows={4} />}
      />
    </>
  );
}
