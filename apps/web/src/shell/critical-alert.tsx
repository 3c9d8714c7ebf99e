import { SpokenOnly } from "@trainwatch/ui";
import { useState } from "react";
import { dataOf } from "../data/loaded.ts";
import { useStatus } from "../data/system.ts";

/** Says once, assertively, to those who hear the page that one more critical incident is open. */
export function CriticalAlert() {
  const critical = dataOf(useStatus())?.openIncidents.critical ?? null;
  const [known, setKnown] = useState(critical);
  const [rose, setRose] = useState(false);
  if (critical !== known) {
    setKnown(critical);
    setRose(known !== null && critical !== null && critical > known);
  }
  return (
    <div role="alert">
      <SpokenOnly>{rose && critical !== null ? `A critical incident has opened. Open critical incidents: ${critical}.` : ""}</SpokenOnly>
    </div>
  );
}
