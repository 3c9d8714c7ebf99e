import { createContext, use, useCallback, useMemo, useState, type ReactNode } from "react";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { isZone } from "./is-zone.ts";

/** `browser` follows the machine; anything else is an IANA zone name. */
export type ZoneChoice = string;
export const BROWSER_ZONE = "browser";
/** Logs of clusters are in UTC, and so is what colleagues quote. */
const DEFAULT_CHOICE = "UTC";
const STORAGE_KEY = "trainwatch.zone";

function browserZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

export function zoneOf(choice: ZoneChoice): string {
  return choice === BROWSER_ZONE ? browserZone() : choice;
}

function storedChoice(): ZoneChoice {
  const stored = localStorage.getItem(STORAGE_KEY);
  return stored !== null && (stored === BROWSER_ZONE || isZone(stored)) ? stored : DEFAULT_CHOICE;
}

interface ZoneState {
  /** The IANA zone in which every time on the page is written. */
  readonly zone: string;
  readonly choice: ZoneChoice;
  readonly choose: (choice: ZoneChoice) => void;
}
const ZoneContext = createContext<ZoneState | null>(null);

/** The zone of the URL if it names one (a shared link reads the same for everybody), else the reader's own choice. */
export function ZoneProvider({ children }: { readonly children: ReactNode }) {
  const { tz } = useSearch({ strict: false });
  const navigate = useNavigate();
  const [preferred, setPreferred] = useState(storedChoice);
  const choice = tz ?? preferred;
  const choose = useCallback(
    (next: ZoneChoice) => {
      localStorage.setItem(STORAGE_KEY, next);
      setPreferred(next);
      void navigate({ to: ".", search: (search) => ({ ...search, tz: zoneOf(next) }), replace: true });
    },
    [navigate],
  );
  const state = useMemo(() => ({ zone: zoneOf(choice), choice, choose }), [choice, choose]);
  return <ZoneContext value={state}>{children}</ZoneContext>;
}

export function useZone(): ZoneState {
  const state = use(ZoneContext);
  if (state === null) throw new Error("useZone is used outside ZoneProvider");
  return state;
}
