import type { Passport } from "@trainwatch/core";
import { Inset, RecentItem, RecentList, Section, Text } from "@trainwatch/ui";
import { When } from "../../clock/when.tsx";
import { MoreButton, useFold } from "../../paging/fold.tsx";
import { Link } from "../../routing/link.tsx";

const AT_A_GLANCE = 6;

/** Who decided what about these weights, newest first. */
export function PassportDecisions({ passport }: { readonly passport: Passport }) {
  const newestFirst = [...passport.decisions].sort((a, b) => b.atMs - a.atMs);
  const fold = useFold(newestFirst, AT_A_GLANCE);
  return (
    <Section title="Decisions" note="newest first">
      {newestFirst.length === 0 ? (
        <Inset>
          <Text tone="label">Nobody has decided on these weights.</Text>
        </Inset>
      ) : (
        <RecentList label="Decisions">
          {fold.shown.map((decision, index) => (
            <RecentItem key={`${decision.atMs}-${index}`} at={<When ms={decision.atMs} show="moment" />}>
              <Text weight="bold">{decision.actor}</Text> <DecisionText decision={decision} />
              {decision.reason === null || decision.reason === "" ? null : (
                <Text as="p" tone="text">
                  {decision.reason}
                </Text>
              )}
            </RecentItem>
          ))}
        </RecentList>
      )}
      <MoreButton fold={fold} noun="decision" />
    </Section>
  );
}

function DecisionText({ decision: { text, releaseId, incidentId } }: { readonly decision: Passport["decisions"][number] }) {
  if (releaseId !== null)
    return (
      <Link to="/releases/$releaseId" params={{ releaseId }} look="plain">
        {text}
      </Link>
    );
  if (incidentId !== null)
    return (
      <Link to="/incidents/$incidentId" params={{ incidentId }} look="plain">
        {text}
      </Link>
    );
  return <>{text}</>;
}
