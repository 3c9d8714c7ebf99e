import { getRouteApi } from "@tanstack/react-router";
import type { FleetCoverage } from "@trainwatch/core";
import {
  Cell,
  EmptyState,
  formatInteger,
  HeadCell,
  HiddenHeading,
  Page,
  Row,
  Section,
  SeverityWord,
  SkeletonBlock,
  SkeletonRows,
  Table,
  TitleRow,
} from "@trainwatch/ui";
import { COVERAGE_WORDS, CoverageStrip, prepareCoverage, type BlindSpot } from "@trainwatch/ui/charts/fleet";
import { useMemo } from "react";
import { When } from "../../clock/when.tsx";
import { useFleetCoverage } from "../../data/fleet.ts";
import { LoadedView } from "../../loaded-view/loaded-view.tsx";
import { ButtonLink } from "../../routing/link.tsx";

const route = getRouteApi("/fleet/coverage");

/** What is seen where, and which faults nobody can see. Absence of data is never health. */
export function FleetCoveragePage() {
  const { at } = route.useSearch();
  const coverage = useFleetCoverage(at ?? null);
  return (
    <Page label="Coverage">
      <title>Coverage · Trainwatch</title>
      <LoadedView loaded={coverage} what="Coverage" skeleton={<CoverageSkeleton />}>
        {(data) => (data.nodes.length === 0 ? <NoNodes /> : <Coverage coverage={data} />)}
      </LoadedView>
    </Page>
  );
}

function Coverage({ coverage }: { readonly coverage: FleetCoverage }) {
  const strip = useMemo(() => prepareCoverage(coverage, false), [coverage]);
  return (
    <>
      <TitleRow
        title="Coverage"
        note={
          <>
            {formatInteger(coverage.signals.length)} signals on {formatInteger(coverage.nodes.length)} nodes, as at{" "}
            <When ms={coverage.atMs} show="absolute" />
          </>
        }
        actions={
          <>
            <ButtonLink to="/fleet/fields" size="small" kind="quiet">
              Fields
            </ButtonLink>
            <ButtonLink to="/fleet" size="small" kind="quiet">
              Map
            </ButtonLink>
          </>
        }
      />
      <Section
        plain
        title="Seen where"
        note={`one column per ${strip.by}; hatched: never or no longer seen; amber: says that it has no reading; empty: always 0`}
      >
        <CoverageStrip strip={strip} />
      </Section>
      <Section title="What cannot be seen" note="by the number of nodes">
        {strip.blind.length === 0 ? (
          <EmptyState title="Every signal is seen on every node" />
        ) : (
          <BlindTable blind={strip.blind} coverage={coverage} />
        )}
      </Section>
    </>
  );
}

function BlindTable({ blind, coverage }: { readonly blind: readonly BlindSpot[]; readonly coverage: FleetCoverage }) {
  const ordered = [...blind].sort((a, b) => b.nodes - a.nodes);
  return (
    <Table
      label="What cannot be seen"
      head={
        <>
          <HeadCell>Signal</HeadCell>
          <HeadCell numeric>Nodes</HeadCell>
          <HeadCell>Where</HeadCell>
          <HeadCell>How</HeadCell>
          <HeadCell>Cannot be seen</HeadCell>
          <HeadCell wide>Fields that bring it</HeadCell>
        </>
      }
    >
      {ordered.map((spot) => {
        const fields = coverage.signals.find((signal) => signal.name === spot.signal)?.fields ?? [];
        return (
          <Row key={`${spot.signal}-${spot.state}`}>
            <Cell bold>
              <SeverityWord mark="unknown">{spot.title}</SeverityWord>
            </Cell>
            <Cell numeric>{`${formatInteger(spot.nodes)} of ${formatInteger(spot.of)}`}</Cell>
            <Cell>{spot.where}</Cell>
            <Cell>{COVERAGE_WORDS[spot.state]}</Cell>
            <Cell wrap>{spot.blindTo}</Cell>
            <Cell wide wrap mono>
              {fields.length === 0
                ? "no field: the kernel's log, read by an agent"
                : `${fields.slice(0, FIELDS).join(", ")}${fields.length > FIELDS ? ` and ${fields.length - FIELDS} more` : ""}`}
            </Cell>
          </Row>
        );
      })}
    </Table>
  );
}

const FIELDS = 2;

function NoNodes() {
  return (
    <>
      <HiddenHeading>Coverage</HiddenHeading>
      <EmptyState title="No node has been seen yet" command="npx trainwatch agent --config agent.yaml">
        Coverage is told of nodes that have sent something. On a node:
      </EmptyState>
    </>
  );
}

function CoverageSkeleton() {
  return (
    <>
      <HiddenHeading>Coverage</HiddenHeading>
      <SkeletonBlock label="coverage" heightPx={200} />
      <SkeletonRows label="gaps" rows={6} />
    </>
  );
}
