import type { IncidentSummary } from "@trainwatch/core";
import { Button, formatCount, Toolbar } from "@trainwatch/ui";
import { useState, type ReactNode } from "react";
import { useAcknowledgeAll } from "../../data/incidents.ts";
import type { IncidentListProps } from "../../incident-list/incident-list.tsx";
import { isUntaken } from "../../words/incident-words.ts";

export interface Batch {
  readonly of: (listed: readonly IncidentSummary[]) => NonNullable<IncidentListProps["batch"]>;
  /** What can be done to the marked ones; nothing while none is. */
  readonly bar: (listed: readonly IncidentSummary[]) => ReactNode;
}

/** Several incidents at once. Only what is on the page counts as marked: what has left it is not acted on unseen. */
export function useBatch(onRefused: (message: string | null) => void): Batch {
  const [marked, setMarked] = useState<ReadonlySet<number>>(new Set());
  const acknowledge = useAcknowledgeAll();
  const shown = (listed: readonly IncidentSummary[]): readonly IncidentSummary[] => listed.filter(({ id }) => marked.has(id));
  const toggle = (id: number): void =>
    setMarked((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  const send = (listed: readonly IncidentSummary[]) => (): void => {
    const ids = shown(listed)
      .filter(isUntaken)
      .map(({ id }) => id);
    if (ids.length === 0 || acknowledge.isSending) return;
    acknowledge.send(ids, (refused) => {
      onRefused(refused.length === 0 ? null : refused.join(" "));
      setMarked(new Set());
    });
  };
  return {
    of: (listed) => ({ marked: new Set(shown(listed).map(({ id }) => id)), onToggle: toggle, onAcknowledge: send(listed) }),
    bar: (listed) => {
      const own = shown(listed);
      if (own.length === 0) return null;
      const untaken = own.filter(isUntaken).length;
      return (
        <Toolbar label="Marked incidents">
          <span aria-live="polite">{formatCount(own.length, "incident")} marked</span>
          <Button size="small" disabled={untaken === 0 || acknowledge.isSending} onClick={send(listed)}>
            {untaken === 0 ? "None waits to be acknowledged" : `Acknowledge ${untaken === own.length ? "all" : untaken}`}
          </Button>
          <Button size="small" kind="quiet" onClick={() => setMarked(new Set())}>
            Unmark all
          </Button>
        </Toolbar>
      );
    },
  };
}
