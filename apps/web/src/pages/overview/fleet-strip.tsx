import { formatCount, Inset, Rule, Section } from "@trainwatch/ui";
import { NodeStripChart, NodeStripLegend } from "@trainwatch/ui/charts/fleet";
import { useFleetIncidents, useFleetLayout } from "../../data/fleet.ts";
import { dataOf } from "../../data/loaded.ts";
import { useStatus } from "../../data/system.ts";
import { Link } from "../../routing/link.tsx";

const POLL_MS = 60_000;

/** The fleet at the foot of the overview: a cell a node. Nothing is shown, and nothing asked, where no node has ever sent anything. */
export function FleetStrip() {
  const status = dataOf(useStatus());
  const hasFleet = status !== null && status.fleet !== null;
  return hasFleet ? <Known /> : null;
}

function Known() {
  const layout = dataOf(useFleetLayout(null, POLL_MS));
  const incidents = dataOf(useFleetIncidents(null));
  if (layout === null || layout.nodes.length === 0) return null;
  return (
    <>
      <Rule />
      <Section
        title="Fleet"
        note={`${formatCount(layout.nodes.length, "node")}, one cell each; unlit means healthy and in use`}
        trailing={
          <>
            <NodeStripLegend />
            <Link to="/fleet">Open fleet</Link>
          </>
        }
        plain
      >
        <Inset>
          <NodeStripChart layout={layout} incidents={incidents ?? []} />
        </Inset>
      </Section>
    </>
  );
}
