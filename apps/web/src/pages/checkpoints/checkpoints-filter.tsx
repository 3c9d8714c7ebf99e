import { getRouteApi } from "@tanstack/react-router";
import { CHECKPOINT_STATES, type CheckpointState } from "@trainwatch/core";
import { Button, Checkbox, Chip, Segmented, TextField, Toolbar, type SegmentOption } from "@trainwatch/ui";
import { useEffect, useState } from "react";
import { dataOf } from "../../data/loaded.ts";
import { useRun } from "../../data/runs.ts";
import { CHECKPOINT_WORDS } from "../../words/checkpoint-words.ts";
import type { Way } from "./search.ts";

const route = getRouteApi("/checkpoints");
/** A pause in typing after which the server is asked. */
const TYPING_PAUSE_MS = 250;

const WAY_OPTIONS: readonly SegmentOption<Way | "all">[] = [
  { value: "all", label: "All" },
  { value: "effect", label: "In effect" },
  { value: "rolled-back", label: "Rolled back" },
];

export function CheckpointsFilter() {
  const { state, way } = route.useSearch();
  const navigate = route.useNavigate();
  const toggle = (changed: CheckpointState): void => {
    const chosen = new Set(state ?? CHECKPOINT_STATES);
    if (!chosen.delete(changed)) chosen.add(changed);
    const next = CHECKPOINT_STATES.filter((candidate) => chosen.has(candidate));
    void navigate({
      search: ({ state: _state, cursor: _cursor, ...rest }) =>
        next.length === CHECKPOINT_STATES.length || next.length === 0 ? rest : { ...rest, state: next },
    });
  };
  return (
    <Toolbar label="Filter">
      <SearchField />
      <Segmented
        label="Whether today's weights have come that way"
        value={way ?? "all"}
        options={WAY_OPTIONS}
        onChange={(next) =>
          void navigate({ search: ({ way: _way, cursor: _cursor, ...rest }) => (next === "all" ? rest : { ...rest, way: next }) })
        }
      />
      {CHECKPOINT_STATES.map((candidate) => (
        <Checkbox
          key={candidate}
          label={CHECKPOINT_WORDS[candidate].word}
          checked={state === undefined || state.includes(candidate)}
          onChange={() => toggle(candidate)}
        />
      ))}
      <OneRun />
    </Toolbar>
  );
}

/** Of one run alone, as a link from its page asks. */
function OneRun() {
  const { run: runId } = route.useSearch();
  const navigate = route.useNavigate();
  const run = dataOf(useRun(runId ?? null));
  if (runId === undefined) return null;
  return (
    <>
      <Chip>{run === null ? `run ${runId}` : `${run.project}/${run.name}`}</Chip>
      <Button size="small" kind="quiet" onClick={() => void navigate({ search: ({ run: _run, cursor: _cursor, ...rest }) => rest })}>
        All runs
      </Button>
    </>
  );
}

/** The URL follows the typing after a pause; a link that is opened fills the field. */
function SearchField() {
  const { q = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const [text, setText] = useState(q);
  const [asked, setAsked] = useState(q);
  if (q !== asked) {
    setAsked(q);
    setText(q);
  }
  useEffect(() => {
    if (text === asked) return;
    const timer = setTimeout(() => {
      setAsked(text);
      void navigate({ search: ({ q: _q, cursor: _cursor, ...rest }) => (text === "" ? rest : { ...rest, q: text }), replace: true });
    }, TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, asked, navigate]);
  return (
    <TextField
      label="Search checkpoints by run"
      labelHidden
      type="search"
      placeholder="Part of project/name"
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  );
}
