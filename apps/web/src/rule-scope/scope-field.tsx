import type { RuleScope } from "@trainwatch/core";
import { Button, FindBox, formatInteger, Inline, Segmented, Stack, Text, TextField } from "@trainwatch/ui";
import { useState } from "react";
import { dataOf } from "../data/loaded.ts";
import { useRun, useRuns } from "../data/runs.ts";

type Kind = "everybody" | "cluster" | "run";

/** A scope as far as it has been filled in; `scopeOf` says whether it is whole. */
export interface ScopeDraft {
  readonly kind: Kind;
  readonly runId: number | null;
  readonly cluster: string;
}

export function scopeDraft({ runId, cluster }: RuleScope): ScopeDraft {
  return { kind: runId !== null ? "run" : cluster !== null ? "cluster" : "everybody", runId, cluster: cluster ?? "" };
}

/** Null while the run or the cluster is still to be named. */
export function scopeOf({ kind, runId, cluster }: ScopeDraft): RuleScope | null {
  if (kind === "everybody") return { runId: null, cluster: null };
  if (kind === "run") return runId === null ? null : { runId, cluster: null };
  return cluster.trim() === "" ? null : { runId: null, cluster: cluster.trim() };
}

/** For whom something holds: everybody, a cluster or one run. */
export function ScopeField({ draft, onChange }: { readonly draft: ScopeDraft; readonly onChange: (draft: ScopeDraft) => void }) {
  return (
    <Stack gap={2}>
      <Segmented
        label="For whom"
        value={draft.kind}
        onChange={(kind) => onChange({ ...draft, kind })}
        options={[
          { value: "everybody", label: "Everybody" },
          { value: "cluster", label: "A cluster" },
          { value: "run", label: "A run" },
        ]}
      />
      {draft.kind === "cluster" ? <ClusterField draft={draft} onChange={onChange} /> : null}
      {draft.kind === "run" ? <RunField runId={draft.runId} onChange={(runId) => onChange({ ...draft, runId })} /> : null}
    </Stack>
  );
}

function ClusterField({ draft, onChange }: { readonly draft: ScopeDraft; readonly onChange: (draft: ScopeDraft) => void }) {
  const runs = dataOf(useRuns({ search: "", states: [], archived: false, cursor: null }))?.items ?? [];
  const known = [...new Set(runs.flatMap(({ metadata }) => metadata.cluster ?? []))].sort();
  return (
    <TextField
      label="Cluster, as its runs name it"
      value={draft.cluster}
      onChange={(event) => onChange({ ...draft, cluster: event.target.value })}
      options={known}
      autoComplete="off"
      maxLength={256}
    />
  );
}

const FOUND = 8;

function RunField({ runId, onChange }: { readonly runId: number | null; readonly onChange: (runId: number | null) => void }) {
  const [text, setText] = useState("");
  const page = dataOf(useRuns({ search: text.trim(), states: [], archived: false, cursor: null }));
  const run = dataOf(useRun(runId));
  if (runId !== null) {
    return (
      <Inline>
        <Text weight="medium">{run === null ? `run ${runId}` : `${run.project}/${run.name}`}</Text>
        <Button size="small" kind="quiet" onClick={() => onChange(null)}>
          Another…
        </Button>
      </Inline>
    );
  }
  const items = page?.items.slice(0, FOUND) ?? [];
  const foot =
    page === null
      ? null
      : page.total === 0
        ? "No run by that name"
        : page.total > items.length
          ? `${items.length} of ${formatInteger(page.total)}`
          : null;
  return (
    <FindBox
      label="Find the run by its name"
      text={text}
      onText={setText}
      items={items.map(({ id, project, name, state }) => ({ id: String(id), label: `${project}/${name}`, note: state }))}
      foot={foot}
      onChoose={(id) => onChange(Number(id))}
    />
  );
}
