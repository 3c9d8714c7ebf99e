import type { ReleaseDetail } from "@trainwatch/core";
import { Inset, RailPart, Section, UnknownWord } from "@trainwatch/ui";
import { ParetoChart, WeightsChart } from "@trainwatch/ui/charts/release";
import { GatesPart } from "./gates-part.tsx";
import type { Proposal } from "./proposed.ts";
import { SignPart } from "./sign-part.tsx";

export interface ReleaseRailProps {
  readonly detail: ReleaseDetail;
  readonly proposal: Proposal | null;
}

/** What is decided by: cost, weights, criteria, signatures. */
export function ReleaseRail({ detail, proposal }: ReleaseRailProps) {
  const { pareto, weights, columns } = detail.comparison;
  const lit = proposal?.column ?? null;
  return (
    <>
      <RailPart>
        <Section title="Quality against cost" note={pareto === null ? undefined : "up and left is better"} plain>
          <Inset>
            {pareto === null ? (
              <UnknownWord>No cost and quality that all of them have</UnknownWord>
            ) : (
              <ParetoChart view={pareto} columns={columns} lit={lit} />
            )}
          </Inset>
        </Section>
      </RailPart>
      <RailPart>
        <Section title="Weights" note={weights === null ? undefined : `winner in ${weights.draws.toLocaleString("en-US")} weightings`} plain>
          <Inset>
            {weights === null ? (
              <UnknownWord>No two dimensions that all of them have</UnknownWord>
            ) : (
              <WeightsChart view={weights} columns={columns} lit={lit} />
            )}
          </Inset>
        </Section>
      </RailPart>
      <RailPart leads>
        <GatesPart detail={detail} />
      </RailPart>
      <RailPart leads>
        <SignPart detail={detail} proposal={proposal} />
      </RailPart>
    </>
  );
}
