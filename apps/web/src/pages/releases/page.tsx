import { getRouteApi } from "@tanstack/react-router";
import type { ReleasePage, ReleaseSummary } from "@trainwatch/core";
import {
  Button,
  Cell,
  DeskOnly,
  EmptyState,
  HeadCell,
  KeyHint,
  Page,
  Row,
  SeverityWord,
  SkeletonRows,
  Table,
  Text,
  TitleRow,
} from "@trainwatch/ui";
import { useState } from "react";
import { When } from "../../clock/when.tsx";
import { useReleases } from "../../data/releases.ts";
import { useKeys } from "../../keys/keys.tsx";
import { useRowSelection } from "../../keys/row-selection.ts";
import { LoadedView } from "../../loaded-view/loaded-view.tsx";
import { Pager } from "../../paging/pager.tsx";
import { ButtonLink, Link } from "../../routing/link.tsx";
import { DeleteReleaseDialog } from "./delete-release-dialog.tsx";
import { ReleaseDialog } from "./release-dialog.tsx";

const route = getRouteApi("/releases");

/** Every comparison of checkpoints, newest first: what was compared, which criteria, who has signed. */
export function ReleasesPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const releases = useReleases(search.cursor ?? null);
  const begin = (): void => void navigate({ search: (before) => ({ ...before, new: true }) });
  useKeys([{ keys: "n", label: "Compare checkpoints", group: "Lists", run: begin }]);
  return (
    <Page label="Releases">
      <title>Releases · Trainwatch</title>
      <TitleRow
        title="Releases"
        note="which checkpoint ships, and why"
        actions={
          <>
            <DeskOnly>
              <Text size="label" tone="label">
                <KeyHint keys="j k" /> move <KeyHint keys="Enter" /> open <KeyHint keys="n" /> compare
              </Text>
            </DeskOnly>
            <ButtonLink to="/releases/trends" size="small">
              Trends
            </ButtonLink>
            <Button size="small" kind="primary" onClick={begin}>
              Compare checkpoints…
            </Button>
          </>
        }
      />
      <LoadedView loaded={releases} what="The list of releases" skeleton={<SkeletonRows label="releases" rows={6} heightPx={52} />}>
        {(page) => (page.items.length === 0 ? <NoReleases onBegin={begin} /> : <ReleaseTable page={page} />)}
      </LoadedView>
      {search.new === true ? (
        <ReleaseDialog detail={null} onClose={() => void navigate({ search: ({ new: _new, ...rest }) => rest, replace: true })} />
      ) : null}
    </Page>
  );
}

function ReleaseTable({ page }: { readonly page: ReleasePage }) {
  const { cursor, release: selected } = route.useSearch();
  const navigate = route.useNavigate();
  const [deleting, setDeleting] = useState<ReleaseSummary | null>(null);
  const rowRef = useRowSelection({
    ids: page.items.map(({ releaseId }) => releaseId),
    selected,
    onSelect: (release) => void navigate({ search: (search) => ({ ...search, release }), replace: true }),
    onOpen: (releaseId) => void navigate({ to: "/releases/$releaseId", params: { releaseId } }),
    noun: "comparison",
  });
  return (
    <>
      <Table
        label="Releases"
        head={
          <>
            <HeadCell>Name</HeadCell>
            <HeadCell wide>Baseline</HeadCell>
            <HeadCell wide>Candidates</HeadCell>
            <HeadCell wide>Gates</HeadCell>
            <HeadCell>Signed</HeadCell>
            <HeadCell>Chosen</HeadCell>
            <HeadCell wide>Opened</HeadCell>
            <HeadCell wide numeric>
              Delete
            </HeadCell>
          </>
        }
      >
        {page.items.map((release) => (
          <Row key={release.releaseId} selected={release.releaseId === selected} rowRef={rowRef(release.releaseId)}>
            <Cell bold maxWidthPx={280} title={release.spec.name}>
              <Link to="/releases/$releaseId" params={{ releaseId: release.releaseId }} look="plain">
                {release.spec.name}
              </Link>
            </Cell>
            <Cell wide maxWidthPx={220} title={release.baseline}>
              {release.baseline}
            </Cell>
            <Cell wide maxWidthPx={320} title={release.candidates.join(", ")}>
              {release.candidates.join(", ")}
            </Cell>
            <Cell wide>
              {release.gatesFixedAtMs === null ? (
                <Text tone="label">none fixed</Text>
              ) : (
                <>
                  {release.gates} fixed <When ms={release.gatesFixedAtMs} show="moment" />
                </>
              )}
            </Cell>
            <Cell>
              <SeverityWord
                mark={release.complete ? "ok" : "pending"}
              >{`${release.signed} of ${release.spec.signers.length}`}</SeverityWord>
            </Cell>
            <Cell maxWidthPx={220} title={release.chosen ?? undefined}>
              {release.chosen ?? <Text tone="label">not yet</Text>}
            </Cell>
            <Cell wide>
              <When ms={release.createdAtMs} show="relative" /> <Text tone="label">by {release.createdBy}</Text>
            </Cell>
            <Cell wide numeric>
              <Button
                kind="quiet"
                size="small"
                disabled={release.signed > 0}
                title={release.signed > 0 ? "A signed comparison is a record and stays" : undefined}
                aria-label={`Delete ${release.spec.name}…`}
                onClick={() => setDeleting(release)}
              >
                Delete…
              </Button>
            </Cell>
          </Row>
        ))}
      </Table>
      <Pager
        shown={page.items.length}
        total={page.total}
        noun="comparison"
        isFirst={cursor === undefined}
        next={page.next}
        onGo={(next) =>
          void navigate({ search: ({ cursor: _old, release: _selected, ...rest }) => (next === null ? rest : { ...rest, cursor: next }) })
        }
      />
      {deleting === null ? null : <DeleteReleaseDialog release={deleting} onClose={() => setDeleting(null)} />}
    </>
  );
}

function NoReleases({ onBegin }: { readonly onBegin: () => void }) {
  return (
    <EmptyState
      title="No checkpoints have been compared yet"
      command="npx trainwatch import --run PROJECT/NAME evals/"
      action={
        <Button size="small" onClick={onBegin}>
          Compare checkpoints…
        </Button>
      }
    >
      Bring evaluation results in, then choose a baseline and candidates:
    </EmptyState>
  );
}
