import { Command } from "cmdk";
import type { ReactNode } from "react";
import { KeyHint } from "../primitives/key-hint.tsx";

export interface CommandPaletteProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly query: string;
  readonly onQueryChange: (query: string) => void;
  /** Groups of items. Filtering is done by whoever gives them: runs are searched on the server. */
  readonly children: ReactNode;
  readonly empty: string;
}

/** Verbs and places by name. Verbs that change something open a page; they never act from here. */
export function CommandPalette({ open, onOpenChange, query, onQueryChange, children, empty }: CommandPaletteProps) {
  return (
    <Command.Dialog
      open={open}
      onOpenChange={onOpenChange}
      shouldFilter={false}
      label="Search or command"
      overlayClassName="fixed inset-0 z-40 bg-bg/70"
      contentClassName="fixed top-[14vh] left-1/2 z-50 w-[560px] max-w-[calc(100vw-24px)] -translate-x-1/2 overflow-hidden rounded-palette border border-line-2 bg-raise text-body shadow-popover"
    >
      <div className="flex h-[34px] items-center gap-2 border-b border-line-2 px-3">
        <Command.Input
          value={query}
          onValueChange={onQueryChange}
          placeholder="Search or command"
          className="h-full min-w-0 flex-1 bg-transparent text-t1 caret-accent outline-none placeholder:text-t3"
        />
        <KeyHint keys="Esc" />
      </div>
      <Command.List className="max-h-[52vh] overflow-auto py-1">
        <Command.Empty className="px-3 py-2 text-note text-t3">{empty}</Command.Empty>
        {children}
      </Command.List>
      <p className="border-t border-line-2 px-3 py-1.5 text-label text-t3">
        Verbs that change a run open a page. They never act from here.
      </p>
    </Command.Dialog>
  );
}

export function CommandGroup({ heading, children }: { readonly heading: string; readonly children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:pt-1 [&_[cmdk-group-heading]]:pb-px [&_[cmdk-group-heading]]:text-label [&_[cmdk-group-heading]]:text-t3"
    >
      {children}
    </Command.Group>
  );
}

export interface CommandItemProps {
  /** Identity within the palette. */
  readonly id: string;
  readonly children: ReactNode;
  readonly note?: ReactNode;
  readonly keys?: string | undefined;
  readonly onSelect: () => void;
}

export function CommandItem({ id, children, note, keys, onSelect }: CommandItemProps) {
  return (
    <Command.Item
      value={id}
      onSelect={onSelect}
      className="flex h-[26px] cursor-pointer items-center gap-2 px-3 text-note data-[selected=true]:bg-press max-desk:h-9"
    >
      <span className="min-w-0 overflow-hidden text-ellipsis whitespace-nowrap">{children}</span>
      <span className="ml-auto flex items-center gap-2 whitespace-nowrap text-t3">
        {note}
        {keys === undefined ? null : <KeyHint keys={keys} />}
      </span>
    </Command.Item>
  );
}
