import type { IncidentDetail } from "@trainwatch/core";
import { Button, EmptyState, formatCount, formatInteger, Inset, Section, Segmented, Text } from "@trainwatch/ui";
import { useState } from "react";
import { candidates, earliestOnset, type Candidate } from "./candidates.ts";
import { CandidateTable } from "./candidate-table.tsx";
import { DecisionBar } from "./decision-bar.tsx";
import { shownCandidates } from "./shown-candidates.ts";
import { OtherActions } from "./other-actions.tsx";

/** Where the run could go back to, what else could be done, and the decision. */
export function RollbackPanel({ incident }: { readonly incident: IncidentDetail }) {
  const [view, setView] = useState<"checkpoints" | "actions">("checkpoints");
  const rows = candidates({ ...incident, onsetLowerStep: earliestOnset(incident.findings) });
  const others = incident.advice?.alternatives ?? [];
  return (
    <Section
      title="Rollback"
      plain
      trailing={
        <Segmented
          label="What to show"
          value={view}
          onChange={setView}
          options={[
            { value: "checkpoints", label: formatCount(rows.length, "checkpoint") },
            { value: "actions", label: formatCount(others.length, "other action") },
          ]}
        />
      }
    >
      {view === "actions" ? (
        <OtherActions actions={others} />
      ) : rows.length === 0 ? (
        <EmptyState title="No checkpoint is known" command="npx trainwatch import --checkpoint-every 1000 path/to/train.log">
          The log names none. Say how often the run saves, or push them with <code>ingest.push</code>.
        </EmptyState>
      ) : (
        <Candidates rows={rows} />
      )}
      {incident.checkpoints.length < incident.checkpointTotal ? (
        <Inset>
          <Text tone="label" size="label">
            Weighed are the {formatInteger(incident.checkpoints.length)} nearest to the onset, of{" "}
            {formatCount(incident.checkpointTotal, "checkpoint")}
          </Text>
        </Inset>
      ) : null}
      <DecisionBar incident={incident} />
    </Section>
  );
}

/** Those around the suggested one; a run that saves often has more than a screen of them. */
function Candidates({ rows }: { readonly rows: readonly Candidate[] }) {
  const [all, setAll] = useState(false);
  const first = shownCandidates(rows);
  return (
    <>
      <CandidateTable candidates={all ? rows : first} />
      {first.length === rows.length ? null : (
        <Inset>
          <Button size="small" kind="quiet" onClick={() => setAll(!all)}>
            {all ? "Show fewer" : `Show all ${formatCount(rows.length, "checkpoint")}`}
          </Button>
        </Inset>
      )}
    </>
  );
}
