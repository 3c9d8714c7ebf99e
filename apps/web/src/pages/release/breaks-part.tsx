import type { BreakCluster, ExampleAnswer, ReleaseDetail } from "@trainwatch/core";
import { Cell, formatInteger, formatSigned, HeadCell, Inset, MISSING, Row, Section, Table, Text, UnknownSentence } from "@trainwatch/ui";
import { dataOf } from "../../data/loaded.ts";
import { useExampleAnswers } from "../../data/releases.ts";
import { FOLD_STEP, MoreButton, useFold } from "../../paging/fold.tsx";
import { Link } from "../../routing/link.tsx";
import type { ReleaseSearch } from "./search.ts";

export interface BreaksPartProps {
  readonly detail: ReleaseDetail;
  readonly column: number | null;
}

/** What the proposed checkpoint loses that the baseline solved, by task and category. */
export function BreaksPart({ detail, column }: BreaksPartProps) {
  const { comparison } = detail;
  const candidate = column === null ? undefined : comparison.columns[column];
  if (candidate === undefined) return null;
  const summary = comparison.breaks.find((each) => each.column === column);
  const baseline = comparison.columns[0]?.letter ?? "the baseline";
  if (summary === undefined)
    return (
      <Section title={`What ${candidate.letter} breaks`} plain>
        <Inset>
          <UnknownSentence>{`${baseline} and ${candidate.letter} have no sample results in common: what it breaks cannot be told`}</UnknownSentence>
        </Inset>
      </Section>
    );
  return (
    <Section
      title={`What ${candidate.letter} breaks`}
      note={`samples ${baseline} solved and ${candidate.letter} does not, by category; ${candidate.letter} also fixes ${formatInteger(summary.won)}`}
      trailing={`${formatInteger(summary.lost)} broken of ${formatInteger(summary.pairs)} paired`}
      plain
    >
      <BreakTable
        key={candidate.scorecardId}
        clusters={summary.clusters}
        releaseId={detail.releaseId}
        scorecardId={candidate.scorecardId}
        letter={candidate.letter}
      />
      {summary.clusterTotal > summary.clusters.length ? (
        <Inset>
          <Text
            tone="label"
            size="label"
          >{`The ${formatInteger(summary.clusters.length)} that lose most of ${formatInteger(summary.clusterTotal)}`}</Text>
        </Inset>
      ) : null}
    </Section>
  );
}

const FIRST = 6;

interface BreakTableProps {
  readonly clusters: readonly BreakCluster[];
  readonly releaseId: number;
  readonly scorecardId: number;
  readonly letter: string;
}

function BreakTable({ clusters, releaseId, scorecardId, letter }: BreakTableProps) {
  const fold = useFold(clusters, FIRST);
  if (clusters.length === 0)
    return (
      <Inset>
        <Text tone="label">Nothing that the baseline solved is lost.</Text>
      </Inset>
    );
  return (
    <>
      <Table
        label={`What ${letter} breaks`}
        density="tight"
        head={
          <>
            <HeadCell>Category</HeadCell>
            <HeadCell numeric>Broken</HeadCell>
            <HeadCell numeric>Fixed</HeadCell>
            <HeadCell numeric>Net</HeadCell>
            <HeadCell wide>An example</HeadCell>
          </>
        }
      >
        {pagesOf(fold.shown).map(({ from, clusters: page }) => (
          <BreakRows key={from} clusters={page} from={from} releaseId={releaseId} scorecardId={scorecardId} />
        ))}
      </Table>
      <MoreButton fold={fold} noun="category" plural="categories" />
    </>
  );
}

interface ClusterPage {
  readonly from: number;
  readonly clusters: readonly BreakCluster[];
}

/** What is shown as it was unfolded: the answers of a page are asked for together, and those of the pages before are not asked for again. */
function pagesOf(shown: readonly BreakCluster[]): readonly ClusterPage[] {
  const pages: ClusterPage[] = [{ from: 0, clusters: shown.slice(0, FIRST) }];
  for (let from = FIRST; from < shown.length; from += FOLD_STEP) pages.push({ from, clusters: shown.slice(from, from + FOLD_STEP) });
  return pages;
}

type BreakRowsProps = ClusterPage & Pick<BreakTableProps, "releaseId" | "scorecardId">;

function BreakRows({ clusters, from, releaseId, scorecardId }: BreakRowsProps) {
  const answers = dataOf(useExampleAnswers({ releaseId, scorecardId, from, limit: clusters.length })) ?? [];
  return clusters.map(({ task, category, lost, won, example }) => {
    const name = <Text weight="medium">{category ?? task}</Text>;
    return (
      <Row key={`${task}|${category ?? ""}`}>
        <Cell maxWidthPx={300} title={category === null ? task : `${category}, ${task}`}>
          {example === null ? (
            name
          ) : (
            <Link from="/releases/$releaseId" to="." search={lostSample(scorecardId, example)} resetScroll={false} look="plain">
              {name}
            </Link>
          )}{" "}
          {category === null ? null : <Text tone="label">{task}</Text>}
        </Cell>
        <Cell numeric>{formatInteger(lost)}</Cell>
        <Cell numeric>{formatInteger(won)}</Cell>
        <Cell numeric>
          <Text tone={won > lost ? "better" : won < lost ? "worse" : "label"}>{formatSigned(won - lost, 0)}</Text>
        </Cell>
        <Cell wide maxWidthPx={440}>
          {example === null ? MISSING : <ExampleWords example={example} said={answerOf(answers, example)} />}
        </Cell>
      </Row>
    );
  });
}

type Example = NonNullable<BreakCluster["example"]>;

function answerOf(answers: readonly ExampleAnswer[], { rowKey, key, epoch }: Example): string | null {
  return answers.find((each) => each.rowKey === rowKey && each.key === key && each.epoch === epoch)?.answer ?? null;
}

/** What was asked and what the candidate said instead; without the prompt, the sample's name. */
function ExampleWords({ example, said }: { readonly example: Example; readonly said: string | null }) {
  const { prompt: asked } = example;
  if (asked === null) return <Text tone="text">{example.key}</Text>;
  const words = `“${oneLine(asked)}”${said === null ? "" : ` ${oneLine(said)}`}`;
  return (
    <Text tone="text" title={said === null ? asked : `${asked}\n\n${said}`}>
      {words}
    </Text>
  );
}

/** More than a row has room for at any width. */
const MOST_CHARACTERS = 200;

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length <= MOST_CHARACTERS ? line : `${line.slice(0, MOST_CHARACTERS)}…`;
}

/** Opens the example among the lost samples of its cell. */
function lostSample(column: number, example: Example) {
  return ({ epoch: _epoch, ...before }: ReleaseSearch): ReleaseSearch => ({
    ...before,
    row: example.rowKey,
    column,
    detail: true,
    samples: "lost",
    sample: example.key,
    ...(example.epoch === 0 ? {} : { epoch: example.epoch }),
  });
}
