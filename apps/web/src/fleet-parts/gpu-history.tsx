import type { FleetGpuView } from "@trainwatch/core";
import { Fact, Facts, formatDate, formatMoment, Inset, Section, Text } from "@trainwatch/ui";
import { useNow } from "../clock/now.tsx";
import { Link } from "../routing/link.tsx";
import { useZone } from "../zone/zone.tsx";

/** What an attribute is called. */
const NAMES: Readonly<Record<string, string>> = {
  node: "on",
  index: "index",
  driver: "driver",
  model: "model",
  rank: "",
  vbios: "VBIOS",
  pci: "PCI",
  serial: "serial",
  pod: "pod",
  namespace: "namespace",
  container: "container",
  job: "job",
  profile: "profile",
  brand: "brand",
};

/** Where this UUID sat, under which index and driver, and whose rank it was; and the incidents that it was in. Newest first. */
export function GpuHistory({ gpu, limit }: { readonly gpu: FleetGpuView; readonly limit: number | null }) {
  const { zone } = useZone();
  const nowMs = useNow();
  const ranges = gpu.history.map((range) => ({ ...range, key: `${range.name}-${range.value}-${range.fromMs}`, incident: null }));
  const incidents = gpu.incidents.map((incident) => ({
    name: "",
    value: "",
    fromMs: incident.openedAtMs,
    toMs: incident.openedAtMs,
    key: `incident-${incident.id}`,
    incident,
  }));
  const all = [...ranges, ...incidents].sort((a, b) => b.fromMs - a.fromMs);
  const shown = limit === null ? all : all.slice(0, limit);
  const span = (fromMs: number, toMs: number | null): string => {
    if (toMs === null) return `since ${formatDate(fromMs, zone, nowMs)}`;
    const [from, to] = [formatDate(fromMs, zone, nowMs), formatDate(toMs, zone, nowMs)];
    return from === to ? formatMoment(fromMs, zone, nowMs) : `${from} – ${to}`;
  };
  return (
    <Section plain title="This UUID over time" note={shown.length < all.length ? `newest ${shown.length} of ${all.length}` : undefined}>
      {all.length === 0 ? (
        <Inset>
          <Text tone="label">Nothing is known of it beside its readings.</Text>
        </Inset>
      ) : (
        <Facts>
          {shown.map(({ key, name, value, fromMs, toMs, incident }) => (
            <Fact key={key} name={span(fromMs, toMs)}>
              {incident === null ? (
                `${NAMES[name] ?? name} ${value}`.trim()
              ) : (
                <Link to="/incidents/$incidentId" params={{ incidentId: incident.id }}>
                  {`#${incident.id} ${incident.title}`}
                </Link>
              )}
            </Fact>
          ))}
        </Facts>
      )}
    </Section>
  );
}
