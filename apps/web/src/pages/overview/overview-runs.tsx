import type { Overview } from "@trainwatch/core";
import { EmptyState, formatCount, formatInteger, HeadCell, Section, Sparkline, Table } from "@trainwatch/ui";
import { Link } from "../../routing/link.tsx";
import { RunLine } from "../../run-list/run-line.tsx";

export function OverviewRuns({ runs }: { readonly runs: Overview["runs"] }) {
  const training = runs.filter((run) => run.state === "running").length;
  return (
    <Section
      title="Runs"
      note={`${formatCount(training, "run")} training${training === runs.length ? "" : `, ${formatInteger(runs.length - training)} not`}`}
      trailing={<Link to="/runs">All runs</Link>}
    >
      {runs.length === 0 ? (
        <EmptyState title="No run is active">Finished runs are in the list of all runs.</EmptyState>
      ) : (
        <Table
          label="Runs"
          head={
            <>
              <HeadCell>State</HeadCell>
              <HeadCell>Run</HeadCell>
              <HeadCell wide numeric>
                GPUs
              </HeadCell>
              <HeadCell wide>Step</HeadCell>
              <HeadCell wide>Signal</HeadCell>
              <HeadCell numeric>Loss</HeadCell>
              <HeadCell wide numeric>
                Last sample
              </HeadCell>
            </>
          }
        >
          {runs.map((run) => (
            <RunLine
              key={run.id}
              run={run}
              signal={<Sparkline data={run.signal} label={`Loss of ${run.name}`} widthPx={88} heightPx={24} />}
            />
          ))}
        </Table>
      )}
    </Section>
  );
}
