import { getRouteApi } from "@tanstack/react-router";
import { DIMENSION_TITLES, DIMENSIONS, type Dimension, type ScorecardPage, type TrendView } from "@trainwatch/core";
import {
  Cell,
  EmptyState,
  formatInteger,
  HeadCell,
  Inset,
  LinkGrid,
  LinkGridRow,
  Page,
  Row,
  Section,
  Select,
  SkeletonBlock,
  SkeletonRows,
  Table,
  Text,
  TextField,
  TitleRow,
  Toolbar,
  UnknownSentence,
} from "@trainwatch/ui";
import { rowNumber, TrendChart } from "@trainwatch/ui/charts/release";
import { When } from "../../clock/when.tsx";
import { useScorecards, useTrends } from "../../data/scorecards.ts";
import { LoadedView } from "../../loaded-view/loaded-view.tsx";
import { MoreButton, useFold } from "../../paging/fold.tsx";
import { ButtonLink, Link } from "../../routing/link.tsx";

const route = getRouteApi("/releases/trends");

/** Every measure of a run over its checkpoints: where each was best, and how sure that is. */
export function TrendsPage() {
  const { run } = route.useSearch();
  return (
    <Page label="Trends">
      <title>Trends · Trainwatch</title>
      {run === undefined ? <RunChoice /> : <Trends runId={run} />}
    </Page>
  );
}

function Trends({ runId }: { readonly runId: number }) {
  const trends = useTrends(runId);
  return (
    <>
      <TitleRow
        title="Trends"
        note="every measure over the run's checkpoints; the ring is the best one, the pale column its interval"
        actions={
          <>
            <ButtonLink to="/runs/$runId" params={{ runId }} size="small" kind="quiet">
              The run
            </ButtonLink>
            <ButtonLink to="/releases/trends" size="small" kind="quiet">
              Another run
            </ButtonLink>
            <ButtonLink to="/releases" size="small" kind="quiet">
              Releases
            </ButtonLink>
          </>
        }
      />
      <LoadedView loaded={trends} what="The trends" skeleton={<SkeletonBlock label="the trends" heightPx={480} />}>
        {(views) => (views.length === 0 ? <NoTrends /> : <TrendSections views={views} />)}
      </LoadedView>
    </>
  );
}

const ANY = "any";

function TrendSections({ views }: { readonly views: readonly TrendView[] }) {
  const { dimension, q } = route.useSearch();
  const navigate = route.useNavigate();
  const there = DIMENSIONS.filter((each) => views.some((view) => view.dimension === each));
  const options: readonly { readonly value: Dimension | typeof ANY; readonly label: string }[] = [
    { value: ANY, label: "any" },
    ...there.map((value) => ({ value, label: DIMENSION_TITLES[value].split(";")[0] ?? value })),
  ];
  const words = q?.toLowerCase() ?? "";
  const shown = there
    .filter((each) => dimension === undefined || each === dimension)
    .map((each) => ({
      dimension: each,
      views: views.filter((view) => view.dimension === each && `${view.title} ${view.key}`.toLowerCase().includes(words)),
    }))
    .filter((group) => group.views.length > 0);
  return (
    <>
      <Toolbar label="Measures">
        <TextField
          label="Find measures"
          labelHidden
          type="search"
          placeholder="Task or metric"
          value={q ?? ""}
          onChange={(event) => {
            const text = event.target.value;
            void navigate({ search: ({ q: _q, ...rest }) => (text === "" ? rest : { ...rest, q: text }), replace: true });
          }}
        />
        <Select
          label="Dimension"
          prefix="Dimension:"
          value={dimension ?? ANY}
          options={options}
          onChange={(value) =>
            void navigate({ search: ({ dimension: _old, ...rest }) => (value === ANY ? rest : { ...rest, dimension: value }) })
          }
        />
      </Toolbar>
      {shown.length === 0 ? <EmptyState title="No measure fits this filter" /> : null}
      {shown.map((group) => (
        <TrendSection key={group.dimension} dimension={group.dimension} views={group.views} />
      ))}
    </>
  );
}

const FIRST = 12;

function TrendSection({ dimension, views }: { readonly dimension: Dimension; readonly views: readonly TrendView[] }) {
  const fold = useFold(views, FIRST);
  return (
    <Section title={DIMENSION_TITLES[dimension]} note={`${formatInteger(views.length)} ${views.length === 1 ? "measure" : "measures"}`}>
      <LinkGrid>
        {fold.shown.map((view) => (
          <LinkGridRow key={view.key} title={<TrendTitle view={view} />}>
            <TrendChart view={view} />
            <TrendWords view={view} />
          </LinkGridRow>
        ))}
      </LinkGrid>
      <MoreButton fold={fold} noun="measure" />
    </Section>
  );
}

function TrendTitle({ view }: { readonly view: TrendView }) {
  const last = view.points.findLast(({ value }) => value !== null);
  return (
    <>
      <Text tone="value" weight="medium">
        {view.title}
      </Text>
      {last === undefined ? null : (
        <Text tone="label">{` ${rowNumber(last.value, view)} ${view.unit} at step ${formatInteger(last.step)}${view.better === "none" ? "" : `, ${view.better} is better`}`}</Text>
      )}
    </>
  );
}

function TrendWords({ view }: { readonly view: TrendView }) {
  if (view.peak === null) return <UnknownSentence>{view.why ?? "No best step to be told"}</UnknownSentence>;
  return (
    <Text as="p" size="label" tone="text" title={view.peak.method}>
      {view.peak.text}
    </Text>
  );
}

function NoTrends() {
  return (
    <EmptyState title="No checkpoint of this run has been evaluated" command="npx trainwatch import --run PROJECT/NAME evals/">
      Results are attached to a run's checkpoints by step or path:
    </EmptyState>
  );
}

/** The runs that have evaluated checkpoints. */
function RunChoice() {
  const { q = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const scorecards = useScorecards(q);
  return (
    <>
      <TitleRow
        title="Trends"
        note="choose a run whose checkpoints were evaluated"
        actions={
          <ButtonLink to="/releases" size="small" kind="quiet">
            Releases
          </ButtonLink>
        }
      />
      <Toolbar label="Runs">
        <TextField
          label="Find runs"
          labelHidden
          type="search"
          placeholder="Part of project/name"
          value={q}
          onChange={(event) => {
            const text = event.target.value;
            void navigate({ search: ({ q: _q, ...rest }) => (text === "" ? rest : { ...rest, q: text }), replace: true });
          }}
        />
      </Toolbar>
      <LoadedView loaded={scorecards} what="The list of scorecards" skeleton={<SkeletonRows label="runs" rows={6} />}>
        {(page) => <RunTable page={page} isAsked={q !== ""} />}
      </LoadedView>
    </>
  );
}

function RunTable({ page, isAsked }: { readonly page: ScorecardPage; readonly isAsked: boolean }) {
  const runs = runsOf(page);
  if (runs.length === 0) return isAsked ? <EmptyState title="No evaluated run fits these words" /> : <NoTrends />;
  return (
    <>
      <Table
        label="Runs with evaluated checkpoints"
        head={
          <>
            <HeadCell>Run</HeadCell>
            <HeadCell numeric>Checkpoints evaluated</HeadCell>
            <HeadCell>Newest result</HeadCell>
          </>
        }
      >
        {runs.map(({ runId, name, checkpoints, newestMs }) => (
          <Row key={runId}>
            <Cell bold>
              <Link to="/releases/trends" search={{ run: runId }} look="plain">
                {name}
              </Link>
            </Cell>
            <Cell numeric>{formatInteger(checkpoints)}</Cell>
            <Cell>
              <When ms={newestMs} show="both" />
            </Cell>
          </Row>
        ))}
      </Table>
      {page.total > page.items.length ? (
        <Inset>
          <Text
            tone="label"
            size="label"
          >{`Of the newest ${formatInteger(page.items.length)} of ${formatInteger(page.total)} scorecards; type to find others`}</Text>
        </Inset>
      ) : null}
    </>
  );
}

function runsOf({ items }: ScorecardPage) {
  const found = new Map<number, { readonly runId: number; readonly name: string; checkpoints: number; newestMs: number | null }>();
  for (const { run, newestResultAtMs } of items) {
    if (run === null) continue;
    const known = found.get(run.runId) ?? { runId: run.runId, name: `${run.project}/${run.name}`, checkpoints: 0, newestMs: null };
    known.checkpoints += 1;
    known.newestMs = Math.max(known.newestMs ?? 0, newestResultAtMs ?? 0) || null;
    found.set(run.runId, known);
  }
  return [...found.values()];
}
