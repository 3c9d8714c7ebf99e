import type { ReleaseDetail } from "@trainwatch/core";
import { Button, formatInteger, Inset, RailPart, Section, UnknownSentence } from "@trainwatch/ui";
import { ParetoChart, WeightsChart } from "@trainwatch/ui/charts/release";
import { useState } from "react";
import { GatesPart } from "./gates-part.tsx";
import type { Proposal } from "./proposed.ts";
import { SignPart } from "./sign-part.tsx";

export interface ReleaseRailProps {
  readonly detail: ReleaseDetail;
  readonly proposal: Proposal | null;
}

/** What is decided by: cost, weights, criteria, signatures. */
export function ReleaseRail({ detail, proposal }: ReleaseRailProps) {
  const { pareto, columns } = detail.comparison;
  const lit = proposal?.column ?? null;
  return (
    <>
      <RailPart>
        <Section title="Quality against cost" note={pareto === null ? undefined : "up and left is better"} plain>
          <Inset>
            {pareto === null ? (
              <UnknownSentence>No cost and quality that all of them have</UnknownSentence>
            ) : (
              <ParetoChart view={pareto} columns={columns} lit={lit} />
            )}
          </Inset>
        </Section>
      </RailPart>
      <RailPart>
        <WeightsPart detail={detail} lit={lit} />
      </RailPart>
      <RailPart leads>
        <GatesPart detail={detail} />
      </RailPart>
      <RailPart leads stays>
        <SignPart detail={detail} proposal={proposal} />
      </RailPart>
    </>
  );
}

/** So many dimensions at first: those whose weight decides most often between more than one winner. */
const FIRST = 2;

function WeightsPart({ detail, lit }: { readonly detail: ReleaseDetail; readonly lit: number | null }) {
  const { weights, columns } = detail.comparison;
  const [isWhole, setWhole] = useState(false);
  const byRanges = [...(weights?.along ?? [])].sort((a, b) => b.ranges.length - a.ranges.length);
  const rest = byRanges.length - FIRST;
  return (
    <Section
      title="Weights"
      note={weights === null ? undefined : `winner in ${formatInteger(weights.draws)} weightings`}
      trailing={
        rest <= 0 ? undefined : (
          <Button size="small" kind="quiet" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole ? "Fewer" : `${formatInteger(rest)} more`}
          </Button>
        )
      }
      plain
    >
      <Inset>
        {weights === null ? (
          <UnknownSentence>No two dimensions that all of them have</UnknownSentence>
        ) : (
          <WeightsChart view={weights} columns={columns} lit={lit} along={isWhole ? byRanges : byRanges.slice(0, FIRST)} />
        )}
      </Inset>
    </Section>
  );
}
