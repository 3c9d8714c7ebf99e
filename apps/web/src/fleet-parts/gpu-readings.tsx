import type { FleetGpuView } from "@trainwatch/core";
import { formatClock, formatInteger, Inset, ReadingLine, ReadingList, Section, Text, Value } from "@trainwatch/ui";
import { useZone } from "../zone/zone.tsx";
import { byWeight, readingWords } from "./reading-words.ts";

/** What a GPU reads, and how far each lies from the GPUs of its model. `limit` leaves out the most ordinary ones. */
export function GpuReadings({ gpu, limit }: { readonly gpu: FleetGpuView; readonly limit: number | null }) {
  const { zone } = useZone();
  const ordered = byWeight(gpu.readings);
  const shown = limit === null ? ordered : ordered.slice(0, limit);
  const atMs = gpu.readings.reduce<number | null>(
    (newest, { atMs: time }) => (time !== null && time > (newest ?? 0) ? time : newest),
    null,
  );
  const peers = Math.max(0, ...gpu.readings.map((reading) => reading.peers));
  const heading = peers === 0 ? "too few peers" : `σ from ${formatInteger(peers)} peers`;
  return (
    <Section
      plain
      title="Readings"
      note={atMs === null ? "none" : `at ${formatClock(atMs, zone)}`}
      trailing={<Text title="Robust deviations from the median of GPUs of the same model">{heading}</Text>}
    >
      <Inset>
        {shown.length === 0 ? (
          <Text tone="label">No source has sent a reading of this GPU.</Text>
        ) : (
          <ReadingList label="Readings" peers={heading}>
            {shown.map((reading, index) => {
              const words = readingWords(reading);
              return (
                <ReadingLine
                  key={`${reading.metric}-${index}`}
                  name={words.title}
                  title={reading.metric}
                  value={<Value quantity={words.quantity} tone={reading.state === "ok" ? undefined : "label"} />}
                  deviation={words.deviation}
                  lit={words.lit}
                />
              );
            })}
          </ReadingList>
        )}
        {shown.length < ordered.length ? (
          <Text tone="label" size="label">{`${shown.length} of ${ordered.length}: those farthest from their peers`}</Text>
        ) : null}
      </Inset>
    </Section>
  );
}
