import { formatDateTime, formatIso, formatMoment, formatRelative, MISSING, type Zone } from "../format/index.ts";

export interface MomentProps {
  readonly ms: number | null;
  readonly zone: Zone;
  readonly nowMs: number;
  /**
   * `absolute`: `Mar 12 03:14:20 UTC`. `moment`: clock today, else date and clock, for columns whose head names the zone.
   * `relative`: `16 min ago`. Whatever is shown, the other form is the title.
   */
  readonly show?: "absolute" | "moment" | "relative" | "both" | undefined;
}

/** A point in time, with the zone and the relative form beside it or on hover. */
export function Moment({ ms, zone, nowMs, show = "absolute" }: MomentProps) {
  if (ms === null) return <span className="text-t3">{MISSING}</span>;
  const absolute = formatDateTime(ms, zone, nowMs);
  const relative = formatRelative(ms, nowMs);
  const texts = { absolute, moment: formatMoment(ms, zone, nowMs), relative, both: `${absolute}, ${relative}` };
  const title = show === "relative" ? `${absolute} (${formatIso(ms)})` : `${relative} (${formatIso(ms)})`;
  return (
    <time className="whitespace-nowrap" dateTime={formatIso(ms)} title={title}>
      {texts[show]}
    </time>
  );
}
