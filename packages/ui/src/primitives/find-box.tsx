import { useId, useState, type KeyboardEvent, type Ref } from "react";
import { KeyHint } from "./key-hint.tsx";

export interface FoundItem {
  readonly id: string;
  readonly label: string;
  readonly note?: string | undefined;
}

export interface FindBoxProps {
  readonly label: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly items: readonly FoundItem[];
  /** Under the list: how many more there are, or that there is none. */
  readonly foot: string | null;
  readonly onChoose: (id: string) => void;
  readonly keys?: string | undefined;
  readonly inputRef?: Ref<HTMLInputElement> | undefined;
}

/** A field that finds things as one types; Up and Down move, Enter takes, Escape lets go. */
export function FindBox({ label, text, onText, items, foot, onChoose, keys, inputRef }: FindBoxProps) {
  const listId = useId();
  const [active, setActive] = useState(0);
  const [open, setOpen] = useState(false);
  const shown = open && text.trim() !== "";
  const at = Math.min(active, Math.max(0, items.length - 1));
  const choose = (id: string): void => {
    setOpen(false);
    onChoose(id);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    const item = items[at];
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      setActive(Math.min(items.length - 1, Math.max(0, at + (event.key === "ArrowDown" ? 1 : -1))));
    } else if (event.key === "Enter" && item !== undefined) {
      choose(item.id);
      event.currentTarget.blur();
    } else if (event.key === "Escape") {
      setOpen(false);
      event.currentTarget.blur();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <span className="relative inline-flex">
      <input
        ref={inputRef}
        type="search"
        role="combobox"
        aria-label={label}
        aria-expanded={shown}
        aria-controls={listId}
        aria-autocomplete="list"
        {...(shown && items.length > 0 ? { "aria-activedescendant": `${listId}-${at}` } : {})}
        placeholder={label}
        autoComplete="off"
        value={text}
        onChange={(event) => {
          onText(event.target.value);
          setActive(0);
          setOpen(true);
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
        className="h-6 w-52 rounded-control border border-line-2 bg-transparent pr-6 pl-2 text-note text-t1 placeholder:text-t3 max-desk:h-9"
      />
      {keys === undefined || text !== "" ? null : (
        <span className="pointer-events-none absolute top-1/2 right-1 -translate-y-1/2">
          <KeyHint keys={keys} />
        </span>
      )}
      <span
        className={
          shown
            ? "absolute top-full right-0 z-30 mt-1 w-80 rounded-control border border-line-2 bg-raise py-1 text-note shadow-popover"
            : "hidden"
        }
      >
        <div id={listId} role="listbox" aria-label={label}>
          {shown
            ? items.map((item, index) => (
                <div
                  key={item.id}
                  id={`${listId}-${index}`}
                  role="option"
                  aria-selected={index === at}
                  className={`flex cursor-pointer justify-between gap-3 px-2 py-1 ${index === at ? "bg-press" : ""}`}
                  // Before the field loses its focus and the list with it.
                  onPointerDown={(event) => {
                    event.preventDefault();
                    choose(item.id);
                  }}
                >
                  <span className="whitespace-nowrap">{item.label}</span>
                  <span className="overflow-hidden text-label text-ellipsis whitespace-nowrap text-t3">{item.note}</span>
                </div>
              ))
            : null}
        </div>
        {foot === null ? null : <span className="block px-2 py-1 text-label text-t3">{foot}</span>}
      </span>
    </span>
  );
}
