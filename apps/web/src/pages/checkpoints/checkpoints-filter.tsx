import { getRouteApi } from "@tanstack/react-router";
import { Button, Chip, TextField, Toolbar } from "@trainwatch/ui";
import { useEffect, useState } from "react";
import { dataOf } from "../../data/loaded.ts";
import { useRun } from "../../data/runs.ts";

const route = getRouteApi("/checkpoints");
/** A pause in typing after which the server is asked. */
const TYPING_PAUSE_MS = 250;

export function CheckpointsFilter() {
  return (
    <Toolbar label="Filter">
      <SearchField />
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
      label="Search checkpoints"
      labelHidden
      type="search"
      placeholder="Run, path or step"
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  );
}
