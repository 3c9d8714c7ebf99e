import { getRouteApi } from "@tanstack/react-router";
import { RUN_STATES, type RunState } from "@trainwatch/core";
import { Checkbox, TextField, Toolbar } from "@trainwatch/ui";
import { useEffect, useState } from "react";
import { RUN_STATE_WORDS } from "../../words/run-state.ts";

const route = getRouteApi("/runs");
/** A pause in typing after which the server is asked. */
const TYPING_PAUSE_MS = 250;

export function RunsFilter() {
  const { state, archived } = route.useSearch();
  const navigate = route.useNavigate();
  const toggle = (changed: RunState): void => {
    const chosen = new Set(state ?? RUN_STATES);
    if (!chosen.delete(changed)) chosen.add(changed);
    const next = RUN_STATES.filter((candidate) => chosen.has(candidate));
    void navigate({
      search: ({ state: _state, cursor: _cursor, ...rest }) =>
        next.length === RUN_STATES.length || next.length === 0 ? rest : { ...rest, state: next },
    });
  };
  return (
    <Toolbar label="Filter">
      <SearchField />
      {RUN_STATES.map((candidate) => (
        <Checkbox
          key={candidate}
          label={RUN_STATE_WORDS[candidate]}
          checked={state === undefined || state.includes(candidate)}
          onChange={() => toggle(candidate)}
        />
      ))}
      <Checkbox
        label="Archived"
        checked={archived === true}
        onChange={(event) => {
          const on = event.target.checked;
          void navigate({ search: ({ archived: _archived, cursor: _cursor, ...rest }) => (on ? { ...rest, archived: true } : rest) });
        }}
      />
    </Toolbar>
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
      label="Search runs"
      labelHidden
      type="search"
      placeholder="Part of project/name"
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  );
}
