import { getRouteApi, useRouter } from "@tanstack/react-router";
import type { Passport } from "@trainwatch/core";
import { formatCompact, formatCount, formatInteger, Inset, Section, SeverityShape, Text, UnknownWord } from "@trainwatch/ui";
import { LineageBar, lineageOf } from "@trainwatch/ui/charts";
import { useMemo } from "react";
import { Link } from "../../routing/link.tsx";

const route = getRouteApi("/checkpoints/$checkpointId");

/** Every step that is in the weights, what happened on the way, and what was thrown away. */
export function PassportLineage({ passport }: { readonly passport: Passport }) {
  const router = useRouter();
  const navigate = route.useNavigate();
  const lineage = useMemo(() => lineageOf({ ...passport, step: passport.checkpoint.step }), [passport]);
  return (
    <Section title="What these weights have seen" note={lineageNote(passport)} trailing={<LineageCounts passport={passport} />} plain>
      {lineage === null ? (
        <Inset>
          <UnknownWord>The source does not say which steps led to it</UnknownWord>
        </Inset>
      ) : (
        <LineageBar
          lineage={lineage}
          eventHref={(incidentId) => router.buildLocation({ to: "/incidents/$incidentId", params: { incidentId } }).href}
          onEvent={(incidentId) => void navigate({ to: "/incidents/$incidentId", params: { incidentId } })}
        />
      )}
      <GpusLine passport={passport} />
    </Section>
  );
}

function lineageNote({ lineage }: Passport): string {
  const attempts = formatCount(lineage.length, "launch", "launches");
  const hasStubs = lineage.some(({ rolledBack }) => rolledBack.length > 0);
  return hasStubs ? `${attempts}; hatched steps were rolled back and are not in the weights` : attempts;
}

function LineageCounts({ passport }: { readonly passport: Passport }) {
  const { tokens, eventTotal, events, skipped } = passport;
  const { text, unit } = formatCompact(tokens, "tokens");
  const steps = skipped.reduce((sum, { fromStep, toStep }) => sum + (toStep - fromStep + 1), 0);
  const left = eventTotal - events.length;
  return (
    <>
      {tokens === null ? <UnknownWord>tokens not told</UnknownWord> : <span>{`${text} ${unit}`}</span>}
      <span>
        {`${formatCount(eventTotal, "incident")} on the way`}
        {left > 0 ? `, ${formatInteger(left)} not drawn` : ""}
      </span>
      {steps === 0 ? null : <span>{`data of ${formatCount(steps, "step")} skipped`}</span>}
    </>
  );
}

/** Who computed it, and whether any of them is suspected of wrong numbers. */
function GpusLine({ passport: { gpus } }: { readonly passport: Passport }) {
  return (
    <Inset>
      {gpus.known === 0 ? (
        <Text tone="label">
          <SeverityShape mark="unknown" /> Which GPUs trained it is not known: no fleet sampler named them.
        </Text>
      ) : (
        <Text tone="text">
          {`Trained on ${formatCount(gpus.known, "GPU")} by UUID on ${formatCount(gpus.nodes, "node")}; `}
          {gpus.suspects.length === 0
            ? "none is suspected of wrong numbers."
            : `${formatInteger(gpus.suspects.length)} suspected of wrong numbers: `}
          {gpus.suspects.slice(0, 3).map(({ gpu, why }, index) => (
            <span key={gpu}>
              {index === 0 ? "" : "; "}
              <Link to="/fleet/gpu/$gpuId" params={{ gpuId: gpu }} look="source">
                {gpu}
              </Link>
              {`, ${why}`}
            </span>
          ))}
          {gpus.suspects.length > 3 ? `; ${formatInteger(gpus.suspects.length - 3)} more` : ""}
        </Text>
      )}
    </Inset>
  );
}
