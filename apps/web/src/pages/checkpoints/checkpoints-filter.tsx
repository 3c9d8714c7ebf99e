import { getRouteApi } from "@tanstack/react-router";
import { CHECKPOINT_STATES } from "@trainwatch/core";
import { Button, Chip, Segmented, Toolbar } from "@trainwatch/ui";
import { dataOf } from "../../data/loaded.ts";
import { useRun } from "../../data/runs.ts";
import { SearchField } from "../../list-page/search-field.tsx";
import { WordToggles } from "../../list-page/word-toggles.tsx";
import { CHECKPOINT_WORDS } from "../../words/checkpoint-words.ts";
import { LINEAGES, type Lineage } from "./search.ts";

const route = getRouteApi("/checkpoints");

const STATE_LABELS = {
  verified: CHECKPOINT_WORDS.verified.word,
  unchecked: CHECKPOINT_WORDS.unchecked.word,
  incomplete: CHECKPOINT_WORDS.incomplete.word,
} as const;
const ANY = "any";
const LINEAGE_WORDS = { "in-effect": "In effect", "rolled-back": "Rolled back" } as const satisfies Record<Lineage, string>;
const LINEAGE_OPTIONS: readonly { readonly value: Lineage | typeof ANY; readonly label: string }[] = [
  { value: ANY, label: "All" },
  ...LINEAGES.map((value) => ({ value, label: LINEAGE_WORDS[value] })),
];

export function CheckpointsFilter() {
  const { q = "", state, lineage } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Toolbar label="Filter">
      <SearchField
        label="Search checkpoints"
        placeholder="Run, path or step"
        query={q}
        onQuery={(text) =>
          void navigate({ search: ({ q: _q, cursor: _cursor, ...rest }) => (text === "" ? rest : { ...rest, q: text }), replace: true })
        }
      />
      <Segmented
        label="Of which lineage"
        value={lineage ?? ANY}
        options={LINEAGE_OPTIONS}
        onChange={(next) =>
          void navigate({
            search: ({ lineage: _old, cursor: _cursor, ...rest }) => (next === ANY ? rest : { ...rest, lineage: next }),
          })
        }
      />
      <WordToggles
        words={CHECKPOINT_STATES}
        labels={STATE_LABELS}
        chosen={state}
        onChoose={(next) =>
          void navigate({
            search: ({ state: _old, cursor: _cursor, ...rest }) => (next === undefined ? rest : { ...rest, state: next }),
          })
        }
      />
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
