import { createContext, use, useEffect, useRef, useState, useSyncExternalStore, type ReactNode } from "react";
import { createKeyRegistry, type KeyBinding, type KeyRegistry } from "./registry.ts";
import { completed, keyToken, press, type Pressed } from "./sequence.ts";
import { isNativePress, isTaken } from "./taken.ts";

const RegistryContext = createContext<KeyRegistry | null>(null);

function useRegistry(): KeyRegistry {
  const registry = use(RegistryContext);
  if (registry === null) throw new Error("keys are used outside KeysProvider");
  return registry;
}

/** Listens once for the whole page. */
export function KeysProvider({ children }: { readonly children: ReactNode }) {
  const [registry] = useState(createKeyRegistry);
  useEffect(() => {
    let pressed: Pressed | null = null;
    const onKeyDown = (event: KeyboardEvent): void => {
      const token = keyToken(event);
      if (token === null || isTaken(event) || isNativePress(event)) return;
      pressed = press(pressed, token, event.timeStamp);
      const binding = completed(registry.all(), pressed);
      if (binding === undefined) return;
      pressed = null;
      event.preventDefault();
      binding.run();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [registry]);
  return <RegistryContext value={registry}>{children}</RegistryContext>;
}

/** Binds keys while the component is mounted. The list may be a new one on each render. */
export function useKeys(bindings: readonly KeyBinding[]): void {
  const registry = useRegistry();
  const latest = useRef(bindings);
  useEffect(() => {
    latest.current = bindings;
  });
  useEffect(() => registry.bind(() => latest.current), [registry]);
}

/** What works on this page now, for the list of keys. */
export function useKeyBindings(): readonly KeyBinding[] {
  const registry = useRegistry();
  useSyncExternalStore(registry.subscribe, registry.version);
  return registry.all();
}
