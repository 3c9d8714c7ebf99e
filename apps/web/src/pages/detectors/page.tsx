import { getRouteApi } from "@tanstack/react-router";
import { DETECTOR_FAMILIES, type DetectorPrecision, type DetectorView } from "@trainwatch/core";
import { Columns, EmptyState, formatCount, HiddenHeading, Page, SkeletonRows, TitleRow } from "@trainwatch/ui";
import { useDetectorPrecision, useDetectors, useDetectorsHealth } from "../../data/detectors.ts";
import { dataOf } from "../../data/loaded.ts";
import { useStatus } from "../../data/system.ts";
import { useKeys } from "../../keys/keys.tsx";
import { LoadedView } from "../../loaded-view/loaded-view.tsx";
import { ButtonLink } from "../../routing/link.tsx";
import { DetectorParticulars } from "./detector-particulars.tsx";
import { DetectorTable } from "./detector-table.tsx";
import { HealthRow } from "./health-row.tsx";

const route = getRouteApi("/detectors");

/** What is watched for, how well, and where it cannot be seen. */
export function DetectorsPage() {
  const detectors = useDetectors();
  return (
    <Page label="Detectors">
      <title>Detectors · Trainwatch</title>
      <LoadedView
        loaded={detectors}
        what="The catalogue of detectors"
        skeleton={
          <>
            <HiddenHeading>Detectors</HiddenHeading>
            <SkeletonRows label="detectors" rows={14} heightPx={28} />
          </>
        }
      >
        {(list) => <Catalogue list={list} />}
      </LoadedView>
    </Page>
  );
}

function Catalogue({ list }: { readonly list: readonly DetectorView[] }) {
  const { detector: asked } = route.useSearch();
  const navigate = route.useNavigate();
  const precision = dataOf(useDetectorPrecision());
  const status = dataOf(useStatus());
  const health = dataOf(useDetectorsHealth());
  const blind = health?.families.flatMap((family) => family.blind) ?? [];
  const ordered = DETECTOR_FAMILIES.flatMap((family) => list.filter((each) => each.family === family));
  const selected = ordered.find(({ id }) => id === asked) ?? ordered[0];
  const byId = new Map<string, DetectorPrecision>((precision ?? []).map((each) => [each.detector, each]));
  const select = (id: string): void => void navigate({ search: (before) => ({ ...before, detector: id }), replace: true });
  const move = (by: 1 | -1) => (): void => {
    const at = ordered.findIndex(({ id }) => id === selected?.id);
    const next = ordered[Math.min(ordered.length - 1, Math.max(0, at + by))];
    if (next !== undefined) select(next.id);
  };
  useKeys([
    { keys: "j", label: "Next detector", group: "Lists", run: move(1) },
    { keys: "k", label: "Previous detector", group: "Lists", run: move(-1) },
  ]);
  const off = list.filter(({ enabled }) => !enabled).length;
  return (
    <>
      <TitleRow
        title="Detectors"
        note={`${formatCount(list.length, "detector")} in ${formatCount(new Set(list.map(({ family }) => family)).size, "family", "families")}${off === 0 ? "" : `, ${off} off for everybody`}`}
        actions={
          <ButtonLink to="/settings" search={{ tab: "rules" }} size="small">
            Rules
          </ButtonLink>
        }
      />
      {health === null ? null : <HealthRow health={health} />}
      {selected === undefined ? (
        <EmptyState title="No detector is built in">This server knows no detector: nothing is watched.</EmptyState>
      ) : (
        <Columns
          size="wide"
          asideLabel="Particulars"
          aside={
            <DetectorParticulars
              key={selected.id}
              detector={selected}
              precision={byId.get(selected.id) ?? null}
              blind={blind.find((each) => each.detector === selected.id) ?? null}
              runs={(status?.blind ?? []).filter((each) => each.detector === selected.id)}
            />
          }
        >
          <DetectorTable list={ordered} selected={selected.id} precision={byId} blind={blind} onSelect={select} />
        </Columns>
      )}
    </>
  );
}
