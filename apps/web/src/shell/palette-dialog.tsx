import { useNavigate } from "@tanstack/react-router";
import { CommandGroup, CommandItem, CommandPalette, Text } from "@trainwatch/ui";
import { useEffect, useState } from "react";
import { usePaletteGroups } from "./palette-groups.ts";

/** Closed by choosing, by Escape, by a press outside; the focus goes back where it was. */
export function PaletteDialog({ onClose }: { readonly onClose: () => void }) {
  const [query, setQuery] = useState("");
  const navigate = useNavigate();
  const [opener] = useState(() => document.activeElement);
  // The palette has no trigger that it knows of: whatever had the focus gets it back, after the palette has let go of it.
  useEffect(
    () => () => {
      setTimeout(() => opener instanceof HTMLElement && opener.isConnected && opener.focus());
    },
    [opener],
  );
  const groups = usePaletteGroups(query);
  return (
    <CommandPalette
      open
      onOpenChange={onClose}
      query={query}
      onQueryChange={setQuery}
      empty="Nothing by that name. Runs are found by project and name, incidents by number and words."
    >
      {groups.map((group) => (
        <CommandGroup key={group.heading} heading={group.heading}>
          {group.entries.map((entry) => (
            <CommandItem
              key={entry.id}
              id={entry.id}
              note={entry.note}
              keys={entry.keys}
              onSelect={() => {
                onClose();
                void navigate(entry.place);
              }}
            >
              {entry.code === undefined ? null : <Text mono tone="text">{`${entry.code}  `}</Text>}
              {entry.label}
            </CommandItem>
          ))}
        </CommandGroup>
      ))}
    </CommandPalette>
  );
}
