import type { ReleaseDetail, SampleDifference } from "@trainwatch/core";
import {
  Button,
  Cell,
  EmptyState,
  formatInteger,
  HeadCell,
  Inset,
  Row,
  Section,
  Segmented,
  SkeletonRows,
  Table,
  Text,
} from "@trainwatch/ui";
import { SAMPLE_FILTERS, useSamples, type SampleFilter, type SamplePages } from "../../data/releases.ts";
import { LoadedView } from "../../loaded-view/loaded-view.tsx";
import { Link } from "../../routing/link.tsx";
import { SampleDialog } from "./sample-dialog.tsx";
import { changeWords, scoreText } from "./sample-words.ts";
import type { ReleaseSearch } from "./search.ts";
import type { ShownCell } from "./shown-cell.ts";
import { useReleaseSearch } from "./use-release-search.ts";

export interface SampleListProps {
  readonly detail: ReleaseDetail;
  readonly shown: ShownCell;
}

/** Common samples of a cell, the worst regressions first. */
export function SampleList({ detail, shown }: SampleListProps) {
  const { search, adjust } = useReleaseSearch();
  const only = search.samples ?? "all";
  const question = { releaseId: detail.releaseId, rowKey: shown.row.key, scorecardId: shown.column.scorecardId };
  const samples = useSamples(question, only);
  const openSample = search.sample === undefined ? null : { key: search.sample, epoch: search.epoch ?? 0 };
  const items = samples.status === "ready" ? samples.data.items : [];
  return (
    <Section title="Samples" note="regressions first">
      <LoadedView loaded={samples} what="The sample list" skeleton={<SkeletonRows label="samples" rows={8} />}>
        {(pages) => (
          <>
            <Inset>
              <Segmented
                label="Which samples"
                value={only}
                options={SAMPLE_FILTERS.map((value) => ({ value, label: filterLabel(value, pages) }))}
                onChange={(value) => adjust(({ samples: _old, ...rest }) => (value === "all" ? rest : { ...rest, samples: value }))}
              />
            </Inset>
            <OneSided pages={pages} letter={shown.column.letter} />
            {pages.items.length === 0 ? <NoSamples only={only} /> : <SampleTable items={pages.items} letter={shown.column.letter} />}
            {pages.hasMore ? (
              <Inset>
                <Button size="small" kind="quiet" disabled={pages.isLoadingMore} onClick={pages.more}>
                  {`Show more: ${formatInteger(pages.items.length)} of ${formatInteger(pages.first.total)} shown`}
                </Button>
              </Inset>
            ) : null}
          </>
        )}
      </LoadedView>
      {openSample === null ? null : <SampleDialog question={question} shown={shown} sample={openSample} items={items} />}
    </Section>
  );
}

function filterLabel(filter: SampleFilter, { first }: SamplePages): string {
  const words = {
    all: "All",
    lost: `Lost ${formatInteger(first.lost)}`,
    won: `Won ${formatInteger(first.won)}`,
    unscored: `Unscored ${formatInteger(first.unscored)}`,
  } as const satisfies Record<SampleFilter, string>;
  return words[filter];
}

/** Samples that only one of the two has take no part in the test. */
function OneSided({ pages: { first }, letter }: { readonly pages: SamplePages; readonly letter: string }) {
  if (first.onlyBaseline === 0 && first.onlyCandidate === 0) return null;
  return (
    <Inset>
      <Text tone="label">{`Left out: ${formatInteger(first.onlyBaseline)} only in the baseline, ${formatInteger(first.onlyCandidate)} only in ${letter}.`}</Text>
    </Inset>
  );
}

function NoSamples({ only }: { readonly only: SampleFilter }) {
  if (only !== "all")
    return <EmptyState title={only === "unscored" ? "Every common sample has a score" : `No common sample was ${only}`} />;
  return (
    <EmptyState title="No sample in common">
      The two were measured without results by sample, or on other samples. Import the sample files to see which answers changed.
    </EmptyState>
  );
}

function SampleTable({ items, letter }: { readonly items: readonly SampleDifference[]; readonly letter: string }) {
  const { search } = useReleaseSearch();
  return (
    <Table
      label="Samples"
      density="tight"
      head={
        <>
          <HeadCell>Sample</HeadCell>
          <HeadCell numeric>Baseline</HeadCell>
          <HeadCell numeric>{letter}</HeadCell>
          <HeadCell>So</HeadCell>
        </>
      }
    >
      {items.map((sample) => {
        const { tone, word } = changeWords(sample.change);
        return (
          <Row key={`${sample.key}#${sample.epoch}`} selected={sample.key === search.sample && sample.epoch === (search.epoch ?? 0)}>
            <Cell maxWidthPx={220} title={sample.prompt ?? sample.key}>
              <Link from="/releases/$releaseId" to="." search={openedSample(sample)} resetScroll={false} look="plain">
                {sample.prompt ?? sample.key}
              </Link>
            </Cell>
            <Cell numeric>{scoreText(sample.baseline)}</Cell>
            <Cell numeric>{scoreText(sample.candidate)}</Cell>
            <Cell>
              <Text tone={tone}>{word}</Text>
            </Cell>
          </Row>
        );
      })}
    </Table>
  );
}

function openedSample({ key, epoch }: SampleDifference) {
  return ({ epoch: _epoch, ...before }: ReleaseSearch): ReleaseSearch => ({ ...before, sample: key, ...(epoch === 0 ? {} : { epoch }) });
}
