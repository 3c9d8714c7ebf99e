import { useEffect, useRef } from "react";
import { useKeys } from "./keys.tsx";
import type { KeyBinding } from "./registry.ts";

export interface RowSelectionOptions {
  readonly ids: readonly number[];
  /** From the URL; an id that is not in the list selects nothing. */
  readonly selected: number | undefined;
  readonly onSelect: (id: number) => void;
  readonly onOpen: (id: number) => void;
  /** What a row is, for the list of keys: "incident". */
  readonly noun: string;
  /** Keys that act on the selected row. */
  readonly more?: readonly (Omit<KeyBinding, "run" | "group"> & { readonly run: (id: number) => void })[];
}

/** The row after or before the selected one; without a selection `j` begins at the top and `k` at the end. */
export function neighbour(ids: readonly number[], selected: number | undefined, by: 1 | -1): number | undefined {
  const at = selected === undefined ? -1 : ids.indexOf(selected);
  if (at === -1) return by === 1 ? ids[0] : ids.at(-1);
  return ids[Math.min(ids.length - 1, Math.max(0, at + by))];
}

/** `j`, `k`, `Enter` over a list, with the selected row kept in view. Returns the ref of each row. */
export function useRowSelection({
  ids,
  selected,
  onSelect,
  onOpen,
  noun,
  more = [],
}: RowSelectionOptions): (id: number) => (row: HTMLElement | null) => void {
  const rows = useRef(new Map<number, HTMLElement>());
  const move = (by: 1 | -1) => () => {
    const next = neighbour(ids, selected, by);
    if (next !== undefined) onSelect(next);
  };
  const onSelected = (run: (id: number) => void) => () => {
    if (selected !== undefined && ids.includes(selected)) run(selected);
  };
  useKeys([
    { keys: "j", label: `Next ${noun}`, group: "Lists", run: move(1) },
    { keys: "k", label: `Previous ${noun}`, group: "Lists", run: move(-1) },
    { keys: "Enter", label: `Open the selected ${noun}`, group: "Lists", run: onSelected(onOpen) },
    ...more.map(({ keys, label, run }): KeyBinding => ({ keys, label, group: "Lists", run: onSelected(run) })),
  ]);
  useEffect(() => {
    if (selected !== undefined) rows.current.get(selected)?.scrollIntoView({ block: "nearest" });
  }, [selected]);
  return (id) => (row) => {
    if (row === null) rows.current.delete(id);
    else rows.current.set(id, row);
  };
}
