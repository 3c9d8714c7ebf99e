import { getRouteApi } from "@tanstack/react-router";
import { RUN_STATES } from "@trainwatch/core";
import { Checkbox, Toolbar } from "@trainwatch/ui";
import { SearchField } from "../../list-page/search-field.tsx";
import { WordToggles } from "../../list-page/word-toggles.tsx";
import { RUN_STATE_WORDS } from "../../words/run-state.ts";

const route = getRouteApi("/runs");

export function RunsFilter() {
  const { q = "", state, archived } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Toolbar label="Filter">
      <SearchField
        label="Search runs"
        placeholder="Part of project/name"
        query={q}
        onQuery={(text) =>
          void navigate({ search: ({ q: _q, cursor: _cursor, ...rest }) => (text === "" ? rest : { ...rest, q: text }), replace: true })
        }
      />
      <WordToggles
        words={RUN_STATES}
        labels={RUN_STATE_WORDS}
        chosen={state}
        onChoose={(next) =>
          void navigate({
            search: ({ state: _state, cursor: _cursor, ...rest }) => (next === undefined ? rest : { ...rest, state: next }),
          })
        }
      />
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
