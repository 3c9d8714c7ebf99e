import type { FleetIncidentMark, FleetLayout } from "@trainwatch/core";
import { formatCount, Inset, Rule, Section, SkeletonBlock, UnknownWord } from "@trainwatch/ui";
import { NodeStripChart, NodeStripLegend } from "@trainwatch/ui/charts/fleet";
import { useFleetIncidents, useFleetLayout } from "../../data/fleet.ts";
import { dataOf, type Loaded } from "../../data/loaded.ts";
import { useStatus } from "../../data/system.ts";
import { LoadedView } from "../../loaded-view/loaded-view.tsx";
import { Link } from "../../routing/link.tsx";

const POLL_MS = 60_000;
/** Of the strip and the names beneath it. */
const STRIP_PX = 84;

/** The fleet at the foot of the overview: a cell a node. Nothing is shown, and nothing asked, where no node has ever sent anything. */
export function FleetStrip() {
  const status = useStatus();
  // Where that cannot be told the fleet is asked for itself: one that is not known is not none.
  const mayHaveFleet = status.status === "failed" || (status.status === "ready" && status.data.fleet !== null);
  return mayHaveFleet ? <Known /> : null;
}

function Known() {
  const layout = useFleetLayout(null, POLL_MS);
  const incidents = useFleetIncidents(null);
  const nodes = dataOf(layout)?.nodes.length ?? null;
  if (nodes === 0) return null;
  return (
    <>
      <Rule />
      <Section
        title="Fleet"
        note={nodes === null ? undefined : `${formatCount(nodes, "node")}, one cell each; unlit means healthy and in use`}
        trailing={
          <>
            {incidents.status === "ready" ? null : <UnknownWord>incidents not known</UnknownWord>}
            <NodeStripLegend />
            <Link to="/fleet">Open fleet</Link>
          </>
        }
        plain
      >
        <LoadedView loaded={layout} what="The fleet's layout" skeleton={<SkeletonBlock label="the fleet" heightPx={STRIP_PX} />}>
          {(data) => <Strip layout={data} incidents={incidents} />}
        </LoadedView>
      </Section>
    </>
  );
}

/** What stands where stays in sight while it is not known what is accused, and that is said. */
function Strip({ layout, incidents }: { readonly layout: FleetLayout; readonly incidents: Loaded<readonly FleetIncidentMark[]> }) {
  return (
    <>
      <LoadedView loaded={incidents} what="The list of accused nodes" skeleton={null}>
        {() => null}
      </LoadedView>
      <Inset>
        <NodeStripChart layout={layout} incidents={dataOf(incidents)} />
      </Inset>
    </>
  );
}
