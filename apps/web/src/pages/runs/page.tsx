import { getRouteApi } from "@tanstack/react-router";
import type { RunPage, RunSummary } from "@trainwatch/core";
import { Button, Cell, EmptyState, HeadCell, Notice, Page, SkeletonRows, Table, TitleRow } from "@trainwatch/ui";
import { useState } from "react";
import { useRuns, useRunVerbs } from "../../data/runs.ts";
import { useRowSelection } from "../../keys/row-selection.ts";
import { MoveKeys } from "../../list-page/move-keys.tsx";
import { LoadedView } from "../../loaded-view/loaded-view.tsx";
import { Pager } from "../../paging/pager.tsx";
import { ButtonLink } from "../../routing/link.tsx";
import { RunLine } from "../../run-list/run-line.tsx";
import { DeleteRunDialog } from "./delete-run-dialog.tsx";
import { RunsFilter } from "./runs-filter.tsx";

const route = getRouteApi("/runs");

/** Every run, newest first; searched and paged by the server, which reads no sample for it. */
export function RunsPage() {
  const search = route.useSearch();
  const runs = useRuns({
    search: search.q ?? "",
    states: search.state ?? [],
    archived: search.archived ?? false,
    cursor: search.cursor ?? null,
  });
  return (
    <Page label="Runs">
      <title>Runs · Trainwatch</title>
      <TitleRow title="Runs" note={search.archived === true ? "archived only" : undefined} actions={<MoveKeys />} />
      <RunsFilter />
      <LoadedView loaded={runs} what="The run list" skeleton={<SkeletonRows label="runs" rows={12} heightPx={35} />}>
        {(page) => (page.items.length === 0 ? <NoRuns /> : <RunTable page={page} />)}
      </LoadedView>
    </Page>
  );
}

function RunTable({ page }: { readonly page: RunPage }) {
  const { cursor, run: selected } = route.useSearch();
  const navigate = route.useNavigate();
  const { archive, unarchive } = useRunVerbs();
  const [deleting, setDeleting] = useState<RunSummary | null>(null);
  const rowRef = useRowSelection({
    ids: page.items.map((run) => run.id),
    selected,
    onSelect: (run) => void navigate({ search: (search) => ({ ...search, run }), replace: true }),
    onOpen: (runId) => void navigate({ to: "/runs/$runId", params: { runId } }),
    noun: "run",
  });
  const refusal = archive.failure ?? unarchive.failure;
  return (
    <>
      {refusal === null ? null : (
        <Notice mark="warning" lit>
          {refusal.message}
        </Notice>
      )}
      <Table
        label="Runs"
        head={
          <>
            <HeadCell>State</HeadCell>
            <HeadCell>Run</HeadCell>
            <HeadCell wide>Project</HeadCell>
            <HeadCell wide numeric>
              GPUs
            </HeadCell>
            <HeadCell wide>Step</HeadCell>
            <HeadCell numeric>Loss</HeadCell>
            <HeadCell wide numeric>
              Last sample
            </HeadCell>
            <HeadCell wide numeric>
              Archive or delete
            </HeadCell>
          </>
        }
      >
        {page.items.map((run) => (
          <RunLine
            key={run.id}
            run={run}
            showsProject
            selected={run.id === selected}
            rowRef={rowRef(run.id)}
            trailing={
              <Cell wide numeric>
                {run.archivedAtMs === null ? (
                  <Button kind="quiet" size="small" aria-label={`Archive ${run.name}`} onClick={() => archive.send({ runId: run.id })}>
                    Archive
                  </Button>
                ) : (
                  <Button kind="quiet" size="small" aria-label={`Bring back ${run.name}`} onClick={() => unarchive.send({ runId: run.id })}>
                    Bring back
                  </Button>
                )}
                <Button kind="quiet" size="small" aria-label={`Delete ${run.name}…`} onClick={() => setDeleting(run)}>
                  Delete…
                </Button>
              </Cell>
            }
          />
        ))}
      </Table>
      <Pager
        shown={page.items.length}
        total={page.total}
        noun="run"
        isFirst={cursor === undefined}
        next={page.next}
        onGo={(next) =>
          void navigate({ search: ({ cursor: _old, run: _selected, ...rest }) => (next === null ? rest : { ...rest, cursor: next }) })
        }
      />
      {deleting === null ? null : <DeleteRunDialog run={deleting} onClose={() => setDeleting(null)} />}
    </>
  );
}

function NoRuns() {
  const { q, state, archived } = route.useSearch();
  if (q !== undefined || state !== undefined) {
    return (
      <EmptyState
        title="No run fits this search"
        action={
          <ButtonLink to="/runs" search={archived === undefined ? {} : { archived }} size="small">
            Show all
          </ButtonLink>
        }
      />
    );
  }
  if (archived === true)
    return (
      <EmptyState
        title="No run is archived"
        action={
          <ButtonLink to="/runs" size="small">
            Runs
          </ButtonLink>
        }
      />
    );
  return (
    <EmptyState title="No run has sent anything yet" command="npx trainwatch import path/to/train.log">
      Read a log of any known format into a run:
    </EmptyState>
  );
}
