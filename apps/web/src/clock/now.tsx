import { createContext, use, useEffect, useState, type ReactNode } from "react";
import { useClockOffsetMs } from "../data/server-clock.ts";

const NowContext = createContext<number | null>(null);
const TICK_MS = 1_000;

/** One clock a page, ticking once a second on the server's time, so that all ages on it agree. */
export function NowProvider({ children }: { readonly children: ReactNode }) {
  const offsetMs = useClockOffsetMs();
  const [browserNowMs, setBrowserNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setBrowserNowMs(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return <NowContext value={browserNowMs + offsetMs}>{children}</NowContext>;
}

/** The server's time to the second (epoch ms). */
export function useNow(): number {
  const nowMs = use(NowContext);
  if (nowMs === null) throw new Error("useNow is used outside NowProvider");
  return nowMs;
}
