import type { ReleaseDetail, SettingDifference } from "@trainwatch/core";
import { Button, Cell, Fact, Facts, HeadCell, Inset, Row, Section, SeverityWord, Stack, Table, Text, UnknownWord } from "@trainwatch/ui";
import { differenceText, pText, VERDICT_WORDS } from "@trainwatch/ui/charts/release";
import { useState } from "react";
import { When } from "../../clock/when.tsx";
import { AllowComparisonDialog } from "./allow-comparison-dialog.tsx";
import { closeDetail } from "./close-detail.ts";
import { columnTitle, countsWords, TEST_WORDS, tieSentence, valueWords } from "./release-words.ts";
import { SampleList } from "./sample-list.tsx";
import type { ShownCell } from "./shown-cell.ts";
import { useReleaseSearch } from "./use-release-search.ts";

export interface CellDetailProps {
  readonly detail: ReleaseDetail;
  readonly shown: ShownCell;
}

/** One cell in full: how it was judged, what differs, and the samples behind it. */
export function CellDetail({ detail, shown }: CellDetailProps) {
  const { adjust } = useReleaseSearch();
  const { row, column } = shown;
  return (
    <>
      <Section
        title={`${columnTitle(column)}: ${row.title}`}
        trailing={
          <Button size="small" kind="quiet" onClick={() => adjust(closeDetail)}>
            Close
          </Button>
        }
      >
        <Verdict shown={shown} />
        <Sentences shown={shown} />
      </Section>
      <Differences detail={detail} shown={shown} />
      {shown.cell.verdict === "not-run" ? null : <SampleList key={`${row.key} ${column.scorecardId}`} detail={detail} shown={shown} />}
    </>
  );
}

function Verdict({ shown: { row, cell, baseline, column } }: { readonly shown: ShownCell }) {
  const counts = countsWords(cell);
  return (
    <Facts>
      <Fact name="Verdict">
        {cell.verdict === "better" || cell.verdict === "worse" || cell.verdict === "tie" ? (
          <Text weight="medium" tone={cell.verdict === "tie" ? "text" : cell.verdict}>
            {VERDICT_WORDS[cell.verdict]}
          </Text>
        ) : (
          <UnknownWord>{VERDICT_WORDS[cell.verdict]}</UnknownWord>
        )}
        {cell.overridden ? <SeverityWord mark="warning"> comparison allowed in spite of what differs</SeverityWord> : null}
      </Fact>
      <Fact name="Baseline">{valueWords(row, baseline)}</Fact>
      <Fact name={column.letter}>{valueWords(row, cell)}</Fact>
      {cell.delta === null ? null : (
        <Fact name="Difference">
          {differenceText(cell.delta, row)}
          {cell.deltaLow === null ? null : (
            <Text tone="label">{`, from ${differenceText(cell.deltaLow, row)} to ${differenceText(cell.deltaHigh, row)}`}</Text>
          )}
        </Fact>
      )}
      <Fact name="Better is">{row.better === "none" ? "not defined: no verdict" : row.better}</Fact>
      <Fact name="Test">{TEST_WORDS[cell.test]}</Fact>
      {cell.p === null ? null : (
        <Fact name="p">
          {pText(cell.p)}
          <Text tone="label">{`, ${pText(cell.adjustedP)} after the correction over the whole comparison`}</Text>
        </Fact>
      )}
      {counts === null ? null : <Fact name="Samples">{counts}</Fact>}
      {row.group === null ? null : <Fact name="Group">{row.group}</Fact>}
      <Fact name="Settings">{row.settings === "" ? "none told" : row.settings}</Fact>
      <Fact name="Evaluated">{cell.evaluatedAtMs === null ? "time not told" : <When ms={cell.evaluatedAtMs} show="absolute" />}</Fact>
    </Facts>
  );
}

function Sentences({ shown: { row, cell } }: { readonly shown: ShownCell }) {
  const tie = tieSentence(row, cell);
  if (tie === null && cell.notes.length === 0) return null;
  return (
    <Inset>
      <Stack gap={1}>
        {tie === null ? null : <Text tone="text">{tie}</Text>}
        {cell.notes.map((note) => (
          <Text key={note} tone="text">
            {note}
          </Text>
        ))}
      </Stack>
    </Inset>
  );
}

function Differences({ detail, shown }: CellDetailProps) {
  const [isAllowing, setAllowing] = useState(false);
  const { cell, row, column } = shown;
  const allowed = detail.overrides.find((each) => each.rowKey === row.key && each.scorecardId === column.scorecardId);
  if (cell.differences.length === 0 && allowed === undefined) return null;
  const isForbidden = cell.verdict === "not-comparable";
  return (
    <Section
      title="Settings that differ"
      trailing={
        isForbidden ? (
          <Button
            size="small"
            disabled={detail.signed > 0}
            title={detail.signed > 0 ? "It is signed: what is compared stands" : undefined}
            onClick={() => setAllowing(true)}
          >
            Allow comparison…
          </Button>
        ) : undefined
      }
    >
      <DifferenceRows differences={cell.differences} letter={column.letter} />
      {allowed === undefined ? null : (
        <Inset>
          <SeverityWord mark="warning">
            Allowed by {allowed.actor}, <When ms={allowed.atMs} show="absolute" />
          </SeverityWord>
          <Text as="p" tone="text">{`“${allowed.reason}”`}</Text>
        </Inset>
      )}
      {isAllowing ? <AllowComparisonDialog detail={detail} shown={shown} onClose={() => setAllowing(false)} /> : null}
    </Section>
  );
}

function DifferenceRows({ differences, letter }: { readonly differences: readonly SettingDifference[]; readonly letter: string }) {
  const told = (text: string | null) => text ?? <UnknownWord>not told</UnknownWord>;
  return (
    <Table
      label="Settings that differ"
      density="tight"
      head={
        <>
          <HeadCell>Setting</HeadCell>
          <HeadCell>Baseline</HeadCell>
          <HeadCell>{letter}</HeadCell>
          <HeadCell>So</HeadCell>
        </>
      }
    >
      {differences.map(({ setting, title, baseline, candidate, forbids }) => (
        <Row key={setting}>
          <Cell bold>{title}</Cell>
          <Cell maxWidthPx={120} title={baseline ?? undefined}>
            {told(baseline)}
          </Cell>
          <Cell maxWidthPx={120} title={candidate ?? undefined}>
            {told(candidate)}
          </Cell>
          <Cell>{forbids ? "not comparable" : "a doubt"}</Cell>
        </Row>
      ))}
    </Table>
  );
}
