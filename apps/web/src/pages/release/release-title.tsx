import type { ReleaseDetail } from "@trainwatch/core";
import { Button, Segmented, TitleRow } from "@trainwatch/ui";
import { useState } from "react";
import { When } from "../../clock/when.tsx";
import { ReleaseDialog } from "../releases/release-dialog.tsx";
import { ExportRelease } from "./export-release.tsx";
import { columnTitle, gatesWords } from "./release-words.ts";
import { filterCounts, rowsInQuestion } from "./row-filter.ts";
import { ROW_FILTERS, type RowFilter } from "./search.ts";
import { ShareRelease } from "./share-release.tsx";
import { useReleaseSearch } from "./use-release-search.ts";

const FILTER_WORDS = {
  all: "All",
  regressions: "Regressions",
  significant: "Significant",
  "not-comparable": "Not comparable",
} as const satisfies Record<RowFilter, string>;

/** What is compared, since when, and which rows are shown. */
export function ReleaseTitle({ detail }: { readonly detail: ReleaseDetail }) {
  const { search, go } = useReleaseSearch();
  const counts = filterCounts(rowsInQuestion(detail.comparison.rows, search));
  return (
    <TitleRow
      title={detail.spec.name}
      note={
        <>
          Release comparison, opened <When ms={detail.createdAtMs} show="moment" />, {gatesWords(detail)}
        </>
      }
      actions={
        <>
          <Segmented
            label="Which rows"
            value={search.show ?? "all"}
            options={ROW_FILTERS.map((value) => ({
              value,
              label: value === "all" ? `All ${counts.all} ${counts.all === 1 ? "row" : "rows"}` : `${FILTER_WORDS[value]} ${counts[value]}`,
            }))}
            onChange={(show) => go(({ show: _old, ...rest }) => (show === "all" ? rest : { ...rest, show }))}
          />
          <AgainstButton detail={detail} />
          <ExportRelease detail={detail} />
          <ShareRelease />
        </>
      }
    />
  );
}

/** The baseline is the comparison's own, not the reader's: another one is another comparison, as long as nobody has signed. */
function AgainstButton({ detail }: { readonly detail: ReleaseDetail }) {
  const [isOpen, setOpen] = useState(false);
  const [baseline] = detail.comparison.columns;
  const isSigned = detail.signed > 0;
  return (
    <>
      <Button
        size="small"
        disabled={isSigned}
        title={isSigned ? "It is signed: what is compared stands" : "Change what is compared, and how"}
        onClick={() => setOpen(true)}
      >
        {`Against: ${baseline === undefined ? "baseline" : columnTitle(baseline)}…`}
      </Button>
      {isOpen ? <ReleaseDialog detail={detail} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
