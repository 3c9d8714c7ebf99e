import { createContext, use, useEffect, useMemo, useRef, useState, type ReactNode } from "react";
import { completed, keyToken, press, type Pressed } from "./sequence.ts";

export const KEY_GROUPS = ["Go", "Lists", "Charts", "Anywhere"] as const;
export type KeyGroup = (typeof KEY_GROUPS)[number];

export interface KeyBinding {
  /** `j`, `g i`, `mod+k`. */
  readonly keys: string;
  /** What it does, for the list that `?` shows. */
  readonly label: string;
  readonly group: KeyGroup;
  readonly run: () => void;
}

interface KeyRegistry {
  readonly add: (id: symbol, bindings: readonly KeyBinding[]) => void;
  readonly remove: (id: symbol) => void;
}
const RegistryContext = createContext<KeyRegistry | null>(null);
const BindingsContext = createContext<readonly KeyBinding[]>([]);

/** No key fires while the reader types or while a dialog is open; `mod+…` fires everywhere. */
function isTaken(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing) return true;
  if (event.ctrlKey || event.metaKey) return false;
  const target = event.target;
  if (target instanceof HTMLElement && (target.isContentEditable || target.closest("input, textarea, select, [role=listbox], [role=menu]") !== null)) return true;
  return document.querySelector("[role=dialog], [role=alertdialog]") !== null;
}

/** Enter and Space on a focused button or link do what the browser does with them. */
function isNativePress(event: KeyboardEvent): boolean {
  return (event.key === "Enter" || event.key === " ") && event.target instanceof HTMLElement && event.target.closest("button, a[href], summary, [role=button]") !== null;
}

export function KeysProvider({ children }: { readonly children: ReactNode }) {
  const [sets, setSets] = useState<ReadonlyMap<symbol, readonly KeyBinding[]>>(new Map());
  const registry = useMemo<KeyRegistry>(
    () => ({
      add: (id, bindings) => setSets((before) => new Map(before).set(id, bindings)),
      remove: (id) =>
        setSets((before) => {
          const after = new Map(before);
          after.delete(id);
          return after;
        }),
    }),
    [],
  );
  const bindings = useMemo(() => [...sets.values()].flat(), [sets]);
  const current = useRef(bindings);
  current.current = bindings;
  useEffect(() => {
    let pressed: Pressed | null = null;
    const onKeyDown = (event: KeyboardEvent): void => {
      const token = keyToken(event);
      if (token === null || isTaken(event) || isNativePress(event)) return;
      pressed = press(pressed, token, event.timeStamp);
      const binding = completed(current.current, pressed);
      if (binding === undefined) return;
      pressed = null;
      event.preventDefault();
      binding.run();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
  return (
    <RegistryContext value={registry}>
      <BindingsContext value={bindings}>{children}</BindingsContext>
    </RegistryContext>
  );
}

/** Binds keys while the component is mounted. The list may be new on each render; only a change of keys or labels registers anew. */
export function useKeys(bindings: readonly KeyBinding[]): void {
  const registry = use(RegistryContext);
  if (registry === null) throw new Error("useKeys is used outside KeysProvider");
  const latest = useRef(bindings);
  latest.current = bindings;
  const shape = JSON.stringify(bindings.map(({ keys, label, group }) => [keys, label, group]));
  useEffect(() => {
    const id = Symbol("keys");
    registry.add(id, latest.current.map((binding, index) => ({ ...binding, run: () => latest.current[index]?.run() })));
    return () => registry.remove(id);
  }, [registry, shape]);
}

/** What works on this page now, for the list of keys. */
export function useKeyBindings(): readonly KeyBinding[] {
  return use(BindingsContext);
}
