import { Button, ConnectingNote, ConnectionNote, formatDuration, Inline, Notice } from "@trainwatch/ui";
import { useEffect, useState } from "react";
import { useConnection } from "../data/connection.ts";
import { useOtherVersion } from "../data/version.ts";

/** What concerns every page: the server cannot be reached or has not answered yet, or it is another version than this page. */
export function Notices() {
  const { link, missedAtMs } = useConnection();
  const otherVersion = useOtherVersion();
  return (
    <>
      {link === "lost" && missedAtMs !== null ? <LostConnection sinceMs={missedAtMs} /> : null}
      {link === "connecting" && missedAtMs !== null ? <ConnectingNote /> : null}
      {otherVersion === null ? null : (
        <Notice mark="info">
          <Inline>
            {`The server is now version ${otherVersion}; this page is older and may not show all of it.`}
            <Button size="small" onClick={() => window.location.reload()}>
              Reload
            </Button>
          </Inline>
        </Notice>
      )}
    </>
  );
}

/** Counts on the browser's own clock: the server's is what has been lost. */
function LostConnection({ sinceMs }: { readonly sinceMs: number }) {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return <ConnectionNote since={formatDuration(Math.max(0, nowMs - sinceMs))} />;
}
