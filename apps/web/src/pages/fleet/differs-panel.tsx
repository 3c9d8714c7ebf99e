import type { FleetDifference, FleetDiffers } from "@trainwatch/core";
import {
  Button,
  DifferenceRow,
  DifferenceTable,
  EmptyState,
  formatCount,
  formatFixed,
  formatInteger,
  Inline,
  Inset,
  Section,
  Segmented,
  SkeletonRows,
  Text,
} from "@trainwatch/ui";
import { useFleetDiffers } from "../../data/fleet.ts";
import { LoadedView } from "../../loaded-view/loaded-view.tsx";
import { MoreButton, useFold } from "../../paging/fold.tsx";
import { withBad } from "./bad.ts";
import { without } from "./search.ts";
import { useFleetSearch } from "./use-fleet-search.ts";
import type { FleetView } from "./use-fleet-view.ts";

const AT_A_GLANCE = 8;
/** With fewer, whatever they have in common may be chance, and the server marks nothing as clear. */
const FEWEST = 3;

/** What the chosen cells have in common and the others have not. */
export function DiffersPanel({ view, bad }: { readonly view: FleetView; readonly bad: readonly string[] }) {
  const { search, adjust } = useFleetSearch();
  const run = view.layout.runs.find(({ id }) => id === search.run);
  const among = run !== undefined && search.among === "run" ? run.id : null;
  const differs = useFleetDiffers({ gpuIds: bad, runId: among, atMs: search.at ?? null });
  return (
    <Section
      title="What differs"
      note={formatCount(bad.length, "GPU")}
      trailing={
        <Button size="small" kind="quiet" onClick={() => adjust((before) => withBad(before, []))}>
          Clear
        </Button>
      }
    >
      {run === undefined ? null : (
        <Inset>
          <Inline>
            <Text size="label" tone="label">
              compared with
            </Text>
            <Segmented
              label="Compared with"
              value={search.among ?? "fleet"}
              options={[
                { value: "fleet", label: "the fleet" },
                { value: "run", label: run.name },
              ]}
              onChange={(value) => adjust((before) => (value === "run" ? { ...before, among: "run" } : without(before, "among")))}
            />
          </Inline>
        </Inset>
      )}
      <LoadedView loaded={differs} what="What differs" skeleton={<SkeletonRows label="differences" rows={6} heightPx={40} />}>
        {(data) => <Differences data={data} />}
      </LoadedView>
    </Section>
  );
}

function Differences({ data }: { readonly data: FleetDiffers }) {
  const fold = useFold(data.items, AT_A_GLANCE);
  const clear = data.items.some((item) => item.clear);
  if (data.others === 0) return <EmptyState title="Nothing to compare with">Every GPU that is compared is a chosen one.</EmptyState>;
  return (
    <>
      <Inset>
        <Text tone="text">
          {data.chosen < FEWEST
            ? `${formatCount(data.chosen, "GPU")} can share anything by chance: choose at least ${FEWEST} to learn what they have in common.`
            : clear
              ? `Of ${formatCount(data.chosen, "chosen GPU")} beside ${formatCount(data.others, "other")}. Marked is what chance hardly explains.`
              : `Nothing that ${formatCount(data.chosen, "chosen GPU")} share is unlike ${formatCount(data.others, "other")} beyond chance.`}
        </Text>
      </Inset>
      {data.items.length === 0 ? null : (
        <DifferenceTable label="What differs">
          {fold.shown.map((item) => (
            <Difference key={`${item.attribute} ${item.value}`} item={item} />
          ))}
        </DifferenceTable>
      )}
      <MoreButton fold={fold} noun="difference" />
      <Inset>
        <Text as="p" size="label" tone="label">
          {`${data.untold.length === 0 ? "" : `No source tells: ${data.untold.join(", ")}. `}${data.missing.length === 0 ? "" : `${formatCount(data.missing.length, "chosen GPU")} not on the fleet at that time. `}Fisher's exact test, adjusted for all that was looked at.`}
        </Text>
      </Inset>
    </>
  );
}

function Difference({ item }: { readonly item: FleetDifference }) {
  const noun = item.counts === "gpu" ? "GPU" : "node";
  const share = (hits: number, of: number): string => `${formatInteger(hits)} of ${formatCount(of, noun)}`;
  const tie =
    item.sameAs.length === 0 ? null : `not to be told from ${item.sameAs.map(({ title, value }) => `${title} ${value}`).join(", ")}`;
  return (
    <DifferenceRow
      name={item.title}
      value={item.value}
      clear={item.clear}
      own={{ share: item.hits / item.of, text: share(item.hits, item.of) }}
      others={{ share: item.otherHits / item.otherOf, text: share(item.otherHits, item.otherOf) }}
      note={tie}
      title={`${formatFixed(item.difference * 100, 0)} points more (95 %: ${formatFixed(item.low * 100, 0)} to ${formatFixed(item.high * 100, 0)}), adjusted p ${probability(item.adjusted)}`}
    />
  );
}

function probability(p: number): string {
  return p < 0.001 ? "< 0.001" : formatFixed(p, 3);
}
