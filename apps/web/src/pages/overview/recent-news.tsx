import type { Overview } from "@trainwatch/core";
import { EmptyState, formatInteger, RecentItem, RecentList, Section, Text, zoneName } from "@trainwatch/ui";
import { When } from "../../clock/when.tsx";
import { useNow } from "../../clock/now.tsx";
import { Link } from "../../routing/link.tsx";
import { useZone } from "../../zone/zone.tsx";

type News = Overview["recent"][number];

export function RecentNews({ recent }: { readonly recent: readonly News[] }) {
  const nowMs = useNow();
  const { zone } = useZone();
  return (
    <Section title="Recent" note={`times in ${zoneName(zone, nowMs)}`}>
      {recent.length === 0 ? (
        <EmptyState title="Nothing has happened yet">Findings, decisions and checkpoints are listed here as they come.</EmptyState>
      ) : (
        <RecentList label="Recent">
          {newest(recent).map((news, index) => (
            <RecentItem key={`${news.atMs}-${index}`} at={<When ms={news.atMs} show="moment" />}>
              <NewsText news={news} />
              {news.times > 1 ? <Text tone="label">{` ×${formatInteger(news.times)}`}</Text> : null}
            </RecentItem>
          ))}
        </RecentList>
      )}
    </Section>
  );
}

const SHOWN = 10;

/** By the time at which it happened: what became known later may have happened earlier. */
function newest(recent: readonly News[]): readonly News[] {
  return recent.toSorted((a, b) => b.atMs - a.atMs).slice(0, SHOWN);
}

function NewsText({ news }: { readonly news: News }) {
  if (news.incidentId !== null)
    return (
      <Link to="/incidents/$incidentId" params={{ incidentId: news.incidentId }} look="plain">
        {news.text}
      </Link>
    );
  if (news.runId !== null)
    return (
      <Link to="/runs/$runId" params={{ runId: news.runId }} look="plain">
        {news.text}
      </Link>
    );
  return <>{news.text}</>;
}
