import type { ReleaseColumn, ReleaseDetail } from "@trainwatch/core";
import { EmptyState, Button } from "@trainwatch/ui";
import { columnName, gridItems, ReleaseGrid, type GridPlace } from "@trainwatch/ui/charts/release";
import { useMemo, type ReactNode } from "react";
import { useKeys } from "../../keys/keys.tsx";
import { Link } from "../../routing/link.tsx";
import { filteredRows, rowsInQuestion } from "./row-filter.ts";
import { RowToolbar } from "./row-toolbar.tsx";
import { familyWords } from "./release-words.ts";
import { selectedPlace } from "./shown-cell.ts";
import { usePrinting } from "./use-printing.ts";
import { useReleaseSearch } from "./use-release-search.ts";
import { closeDetail } from "./close-detail.ts";

export interface RowsPartProps {
  readonly detail: ReleaseDetail;
  readonly lit: number | null;
}

/** The comparison itself: rows under their dimensions, candidates as columns. */
export function RowsPart({ detail, lit }: RowsPartProps) {
  const { search, go, adjust } = useReleaseSearch();
  const { comparison } = detail;
  const { dimension, q, show = "all" } = search;
  const shown = useMemo(
    () =>
      filteredRows(
        rowsInQuestion(comparison.rows, { ...(dimension === undefined ? {} : { dimension }), ...(q === undefined ? {} : { q }) }),
        show,
      ),
    [comparison.rows, dimension, q, show],
  );
  const items = useMemo(() => gridItems(shown), [shown]);
  const selected = selectedPlace(comparison, search);
  const searchOf = ({ rowKey, column }: GridPlace) => ({ row: rowKey, column: comparison.columns[column]?.scorecardId ?? 0 });
  const select = (place: GridPlace): void => adjust((before) => ({ ...withoutSample(before), ...searchOf(place) }));
  const open = (place: GridPlace): void => go((before) => ({ ...withoutSample(before), ...searchOf(place), detail: true }));
  const rowKeys = items.flatMap((item) => (item.kind === "row" ? [item.row.key] : []));
  const step = (by: 1 | -1) => (): void => {
    const at = selected === null ? -1 : rowKeys.indexOf(selected.rowKey);
    const next = at === -1 ? (by === 1 ? 0 : rowKeys.length - 1) : Math.max(0, Math.min(rowKeys.length - 1, at + by));
    const rowKey = rowKeys[next];
    if (rowKey !== undefined) select({ rowKey, column: selected?.column ?? lit ?? 1 });
  };
  const across = (by: 1 | -1) => (): void => {
    if (selected !== null) select({ ...selected, column: Math.max(1, Math.min(comparison.columns.length - 1, selected.column + by)) });
  };
  useKeys([
    { keys: "j", label: "Next row", group: "Lists", run: step(1) },
    { keys: "k", label: "Previous row", group: "Lists", run: step(-1) },
    { keys: "ArrowRight", label: "Next candidate", group: "Lists", run: across(1) },
    { keys: "ArrowLeft", label: "Previous candidate", group: "Lists", run: across(-1) },
    { keys: "Enter", label: "Open the selected cell", group: "Lists", run: () => (selected === null ? undefined : open(selected)) },
    { keys: "Escape", label: "Close the selected cell", group: "Lists", run: () => adjust(closeDetail) },
  ]);
  const whole = usePrinting();
  return (
    <>
      <RowToolbar detail={detail} />
      {items.length === 0 ? (
        <NoRows isEmpty={comparison.rows.length === 0} />
      ) : (
        <ReleaseGrid
          label={`Comparison of ${detail.spec.name}`}
          columns={comparison.columns}
          items={items}
          lit={lit}
          selected={selected}
          onSelect={select}
          onOpen={open}
          onHead={(column) => {
            const ship = comparison.columns[column]?.scorecardId;
            if (ship !== undefined) go((before) => ({ ...before, ship }));
          }}
          note={familyWords(comparison)}
          nameOf={columnLink}
          whole={whole}
        />
      )}
    </>
  );
}

/** A checkpoint's name leads to its passport; a model by name has none. */
function columnLink(column: ReleaseColumn): ReactNode {
  if (column.checkpointId === null) return columnName(column);
  return (
    <Link to="/checkpoints/$checkpointId" params={{ checkpointId: column.checkpointId }} look="plain">
      {columnName(column)}
    </Link>
  );
}

function withoutSample<T extends { sample?: string; epoch?: number; samples?: string }>({
  sample: _sample,
  epoch: _epoch,
  samples: _samples,
  ...rest
}: T) {
  return rest;
}

function NoRows({ isEmpty }: { readonly isEmpty: boolean }) {
  const { go } = useReleaseSearch();
  if (isEmpty)
    return (
      <EmptyState title="None of these scorecards has a result yet" command="npx trainwatch import --run PROJECT/NAME evals/">
        Criteria can be fixed before the first result. To bring results in:
      </EmptyState>
    );
  return (
    <EmptyState
      title="No row fits this filter"
      action={
        <Button size="small" onClick={() => go(({ show: _show, dimension: _dimension, q: _q, ...rest }) => rest)}>
          Show all rows
        </Button>
      }
    />
  );
}
