import { getRouteApi } from "@tanstack/react-router";
import type { CheckpointEntryPage } from "@trainwatch/core";
import { EmptyState, HeadCell, Page, SkeletonRows, Table, TitleRow } from "@trainwatch/ui";
import { useCheckpoints } from "../../data/checkpoints.ts";
import { useRowSelection } from "../../keys/row-selection.ts";
import { MoveKeys } from "../../list-page/move-keys.tsx";
import { LoadedView } from "../../loaded-view/loaded-view.tsx";
import { Pager } from "../../paging/pager.tsx";
import { ButtonLink } from "../../routing/link.tsx";
import { CheckpointLine } from "./checkpoint-line.tsx";
import { CheckpointsFilter } from "./checkpoints-filter.tsx";

const route = getRouteApi("/checkpoints");

/** Saved weights of every run, newest first; each leads to its passport. */
export function CheckpointsPage() {
  const search = route.useSearch();
  const checkpoints = useCheckpoints({
    query: search.q ?? "",
    runId: search.run ?? null,
    states: search.state ?? [],
    inEffect: search.lineage === undefined ? null : search.lineage === "in-effect",
    cursor: search.cursor ?? null,
  });
  return (
    <Page label="Checkpoints">
      <title>Checkpoints · Trainwatch</title>
      <TitleRow title="Checkpoints" note="saved weights of all runs; a row opens its passport" actions={<MoveKeys />} />
      <CheckpointsFilter />
      <LoadedView loaded={checkpoints} what="The checkpoints" skeleton={<SkeletonRows label="checkpoints" rows={16} heightPx={28} />}>
        {(page) => (page.items.length === 0 ? <NoCheckpoints /> : <CheckpointTable page={page} />)}
      </LoadedView>
    </Page>
  );
}

function CheckpointTable({ page }: { readonly page: CheckpointEntryPage }) {
  const { cursor, at: selected } = route.useSearch();
  const navigate = route.useNavigate();
  const open = (checkpointId: number): void => void navigate({ to: "/checkpoints/$checkpointId", params: { checkpointId } });
  const rowRef = useRowSelection({
    ids: page.items.map(({ checkpointId }) => checkpointId),
    selected,
    onSelect: (at) => void navigate({ search: (search) => ({ ...search, at }), replace: true }),
    onOpen: open,
    noun: "checkpoint",
  });
  return (
    <>
      <Table
        label="Checkpoints"
        head={
          <>
            <HeadCell>State</HeadCell>
            <HeadCell numeric>Step</HeadCell>
            <HeadCell>Run</HeadCell>
            <HeadCell wide>Attempt</HeadCell>
            <HeadCell wide numeric>
              Tokens
            </HeadCell>
            <HeadCell wide>Saved</HeadCell>
            <HeadCell wide>Lineage</HeadCell>
            <HeadCell numeric title="Results of evaluations of these weights">
              Results
            </HeadCell>
            <HeadCell wide numeric title="Incidents that began before it, in what its weights have seen">
              Incidents before
            </HeadCell>
            <HeadCell wide>Signed releases</HeadCell>
          </>
        }
      >
        {page.items.map((checkpoint) => (
          <CheckpointLine
            key={checkpoint.checkpointId}
            checkpoint={checkpoint}
            selected={checkpoint.checkpointId === selected}
            rowRef={rowRef(checkpoint.checkpointId)}
            onOpen={() => open(checkpoint.checkpointId)}
          />
        ))}
      </Table>
      <Pager
        shown={page.items.length}
        total={page.total}
        noun="checkpoint"
        isFirst={cursor === undefined}
        next={page.next}
        onGo={(next) =>
          void navigate({ search: ({ cursor: _old, at: _selected, ...rest }) => (next === null ? rest : { ...rest, cursor: next }) })
        }
      />
    </>
  );
}

function NoCheckpoints() {
  const { q, run, state, lineage } = route.useSearch();
  if (q !== undefined || run !== undefined || state !== undefined || lineage !== undefined) {
    return (
      <EmptyState
        title="No checkpoint fits this search"
        action={
          <ButtonLink to="/checkpoints" size="small">
            Show all
          </ButtonLink>
        }
      />
    );
  }
  return (
    <EmptyState title="No checkpoint is known yet" command="npx trainwatch import path/to/train.log">
      They come with a training log that says when weights were saved, from the hooks of a training loop, or with results of evaluations
      that name a run and a step:
    </EmptyState>
  );
}
