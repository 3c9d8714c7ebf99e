import type { DetectorHealth, DetectorsHealth } from "@trainwatch/core";
import { formatCount, formatInteger, formatSpan, MISSING_QUANTITY, Notice, Readout, ReadoutRow, SeverityShape } from "@trainwatch/ui";
import { useNow } from "../../clock/now.tsx";
import { FAMILY_TITLES } from "../../words/detector-words.ts";

/** Behind by more than this, findings come late. */
const LATE_MS = 60_000;

/** How far each family is behind what has come in. Nobody judging is the worst of all news, and looks like quiet. */
export function HealthRow({ health }: { readonly health: DetectorsHealth }) {
  return (
    <>
      {health.alive ? null : (
        <Notice mark="critical" lit>
          Nobody judges now: no process holds the detectors. Nothing that comes in is looked at.
        </Notice>
      )}
      <ReadoutRow label="Health of the detectors">
        {health.families.map((family) => (
          <FamilyReadout key={family.family} health={family} />
        ))}
      </ReadoutRow>
    </>
  );
}

const ONE_OF = { pushes: "push", ticks: "tick" } as const satisfies Record<DetectorHealth["behindUnit"], string>;

function FamilyReadout({ health }: { readonly health: DetectorHealth }) {
  const nowMs = useNow();
  const { family, behind, behindUnit, lagMs, lastSampleAtMs, watched, blind } = health;
  const isLate = lagMs !== null && lagMs > LATE_MS;
  const notes = [
    family === "fleet" ? null : `on ${formatCount(watched, "run")}`,
    behind === null || behind === 0 ? null : `${formatCount(behind, ONE_OF[behindUnit], behindUnit)} ${behind === 1 ? "waits" : "wait"}`,
    blind.length === 0 ? null : `${formatInteger(blind.length)} blind`,
  ].filter((note) => note !== null);
  return (
    <Readout
      label={FAMILY_TITLES[family]}
      quantity={lagMs === null ? MISSING_QUANTITY : formatSpan(lagMs)}
      unknown="nothing judged yet"
      mark={isLate ? <SeverityShape mark="warning" label="late" /> : undefined}
      note={lagMs === null ? undefined : `behind${notes.length === 0 ? "" : `, ${notes.join(", ")}`}`}
      title={
        lastSampleAtMs === null
          ? undefined
          : `Newest sample judged ${formatSpan(Math.max(0, nowMs - lastSampleAtMs)).text} ${formatSpan(Math.max(0, nowMs - lastSampleAtMs)).unit} ago, by its own time`
      }
    />
  );
}
