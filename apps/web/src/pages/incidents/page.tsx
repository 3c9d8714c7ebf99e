import { getRouteApi } from "@tanstack/react-router";
import { SEVERITIES, type IncidentState } from "@trainwatch/core";
import {
  DeskOnly,
  EmptyState,
  KeyHint,
  MARK_WORDS,
  Notice,
  Page,
  Segmented,
  Select,
  SkeletonRows,
  Text,
  TitleRow,
  Toolbar,
} from "@trainwatch/ui";
import { useState } from "react";
import { useIncidents } from "../../data/incidents.ts";
import { IncidentList } from "../../incident-list/incident-list.tsx";
import { WordToggles } from "../../list-page/word-toggles.tsx";
import { LoadedView } from "../../loaded-view/loaded-view.tsx";
import { Pager } from "../../paging/pager.tsx";
import { ButtonLink } from "../../routing/link.tsx";
import { LABEL_WORDS } from "../../words/label-words.ts";
import { LABEL_FILTERS, type InboxView } from "./search.ts";
import { useBatch } from "./batch.tsx";

const route = getRouteApi("/incidents");

const STATES_OF_VIEW = {
  open: ["open", "acknowledged", "snoozed"],
  snoozed: ["snoozed"],
  resolved: ["resolved"],
  all: [],
} as const satisfies Record<InboxView, readonly IncidentState[]>;

/** The inbox: one row an incident, unacknowledged and costly first. */
export function IncidentsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [refusal, setRefusal] = useState<string | null>(null);
  const batch = useBatch(setRefusal);
  const view = search.view ?? "open";
  const page = useIncidents({
    states: STATES_OF_VIEW[view],
    severities: search.severity ?? [],
    labels: search.label === undefined ? [] : [search.label],
    runId: search.run ?? null,
    cursor: search.cursor ?? null,
  });
  return (
    <Page label="Incidents">
      <title>Incidents · Trainwatch</title>
      <TitleRow
        title="Incidents"
        note="unacknowledged severity first, then cost rate"
        actions={
          <DeskOnly>
            <Text size="label" tone="label">
              <KeyHint keys="j k" /> move <KeyHint keys="e" /> acknowledge <KeyHint keys="a" /> assign <KeyHint keys="s" /> snooze{" "}
              <KeyHint keys="x" /> mark
            </Text>
          </DeskOnly>
        }
      />
      <InboxFilter />
      {refusal === null ? null : (
        <Notice mark="warning" lit>
          {refusal}
        </Notice>
      )}
      <LoadedView loaded={page} what="The inbox" skeleton={<SkeletonRows label="incidents" rows={8} heightPx={52} />}>
        {(data) =>
          data.items.length === 0 ? (
            <NoIncidents view={view} isFiltered={search.severity !== undefined || search.run !== undefined || search.label !== undefined} />
          ) : (
            <>
              {batch.bar(data.items)}
              <IncidentList
                incidents={data.items}
                label="Incidents"
                selected={search.incident}
                onSelect={(id) => void navigate({ search: (before) => ({ ...before, incident: id }), replace: true })}
                onRefused={setRefusal}
                batch={batch.of(data.items)}
              />
              <Pager
                shown={data.items.length}
                total={data.total}
                noun="incident"
                isFirst={search.cursor === undefined}
                next={data.next}
                onGo={(cursor) =>
                  void navigate({
                    search: ({ cursor: _old, incident: _selected, ...rest }) => (cursor === null ? rest : { ...rest, cursor }),
                  })
                }
              />
            </>
          )
        }
      </LoadedView>
    </Page>
  );
}

const ANY_LABEL = "any";

function InboxFilter() {
  const { view = "open", severity, label, run } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Toolbar label="Filter">
      <Segmented
        label="Which incidents"
        value={view}
        options={[
          { value: "open", label: "Open" },
          { value: "snoozed", label: "Snoozed" },
          { value: "resolved", label: "Resolved" },
          { value: "all", label: "All" },
        ]}
        onChange={(next) => void navigate({ search: ({ cursor: _cursor, ...rest }) => ({ ...rest, view: next }) })}
      />
      <WordToggles
        words={SEVERITIES}
        labels={MARK_WORDS}
        chosen={severity}
        onChoose={(next) =>
          void navigate({
            search: ({ severity: _old, cursor: _cursor, ...rest }) => (next === undefined ? rest : { ...rest, severity: next }),
          })
        }
      />
      <Select
        label="What people said of the alarm"
        prefix="Label:"
        value={label ?? ANY_LABEL}
        options={[
          { value: ANY_LABEL, label: "any" },
          ...LABEL_FILTERS.map((value) => ({ value, label: value === "none" ? "not yet" : LABEL_WORDS[value].toLowerCase() })),
        ]}
        onChange={(next) =>
          void navigate({
            search: ({ label: _old, cursor: _cursor, ...rest }) => (next === ANY_LABEL ? rest : { ...rest, label: next }),
          })
        }
      />
      {run === undefined ? null : (
        <ButtonLink to="/incidents" search={({ run: _run, ...rest }) => rest} size="small">{`Of run ${run} only; show all`}</ButtonLink>
      )}
    </Toolbar>
  );
}

function NoIncidents({ view, isFiltered }: { readonly view: InboxView; readonly isFiltered: boolean }) {
  if (isFiltered)
    return (
      <EmptyState
        title="No incident fits this filter"
        action={
          <ButtonLink to="/incidents" search={{ view: "all" }} size="small">
            Show all
          </ButtonLink>
        }
      />
    );
  if (view === "snoozed")
    return <EmptyState title="No incident is snoozed">One that is comes back by itself, or when it gets worse.</EmptyState>;
  if (view === "open") {
    return (
      <EmptyState
        title="No open incident"
        command="npx trainwatch import path/to/train.log"
        action={
          <ButtonLink to="/incidents" search={{ view: "all" }} size="small">
            Show resolved ones too
          </ButtonLink>
        }
      >
        Detectors have nothing open. What they cannot see is counted at the foot of the page. To look at an old log:
      </EmptyState>
    );
  }
  return (
    <EmptyState title={view === "resolved" ? "No incident has been resolved yet" : "No incident so far"}>
      An incident opens when a detector has a warning or critical finding.
    </EmptyState>
  );
}
