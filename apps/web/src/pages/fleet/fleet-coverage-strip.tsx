import { Inset, Section, SkeletonBlock, Text } from "@trainwatch/ui";
import { blindLine, CoverageStrip, prepareCoverage } from "@trainwatch/ui/charts/fleet";
import { useMemo } from "react";
import type { FleetCoverage } from "@trainwatch/core";
import { useFleetCoverage } from "../../data/fleet.ts";
import { LoadedView } from "../../loaded-view/loaded-view.tsx";
import { Link } from "../../routing/link.tsx";
import { useFleetSearch } from "./use-fleet-search.ts";

const STRIP_PX = 96;

/** What is seen where: a hatch means no data, and never health. */
export function FleetCoverageStrip() {
  const { search } = useFleetSearch();
  const coverage = useFleetCoverage(search.at ?? null);
  return (
    <LoadedView loaded={coverage} what="Coverage" skeleton={<SkeletonBlock label="coverage" heightPx={STRIP_PX} />}>
      {(data) => <Strip coverage={data} />}
    </LoadedView>
  );
}

function Strip({ coverage }: { readonly coverage: FleetCoverage }) {
  const strip = useMemo(() => prepareCoverage(coverage, true), [coverage]);
  const blind = blindLine(strip.blind);
  return (
    <Section
      plain
      title="Coverage"
      note={`one column per ${strip.by}; hatch means no data, not health`}
      trailing={
        <>
          {blind === "" ? <Text tone="text">all signals seen on all nodes</Text> : null}
          <Link to="/fleet/coverage">All signals</Link>
        </>
      }
    >
      {blind === "" ? null : (
        <Inset flat>
          <Text as="p" size="label" tone="text" twoLines>{`blind on ${blind}`}</Text>
        </Inset>
      )}
      <CoverageStrip strip={strip} />
    </Section>
  );
}
