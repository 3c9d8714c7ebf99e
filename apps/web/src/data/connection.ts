import { useSyncExternalStore } from "react";
import type { ContactState } from "./contact.ts";
import { useDataServices } from "./provider.tsx";
import type { SessionState } from "./session.ts";

/** How the page stands with the server: for the status line and the notice of a lost connection. */
export function useConnection(): ContactState {
  const { contact } = useDataServices();
  return useSyncExternalStore(contact.subscribe, contact.state);
}

export function useSessionState(): SessionState {
  const { session } = useDataServices();
  return useSyncExternalStore(session.subscribe, session.state);
}
