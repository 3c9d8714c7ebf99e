import { muteSchema, type Mute } from "@trainwatch/core";
import { formatIso, zoneOffsetMs, type Zone } from "@trainwatch/ui";
import { scopeDraft, scopeOf, type ScopeDraft } from "../../../rule-scope/scope-field.tsx";

/** A calendar as it stands in the form: days of the ends as `YYYY-MM-DD`, empty where there is none. */
export interface MuteDraft {
  readonly name: string;
  readonly zone: string;
  readonly weekdays: readonly number[];
  readonly from: string;
  readonly to: string;
  readonly firstDay: string;
  readonly lastDay: string;
  readonly detectors: readonly string[];
  readonly upTo: Mute["upTo"];
  readonly scope: ScopeDraft;
}

export function newMute(zone: Zone): MuteDraft {
  return {
    name: "",
    zone,
    weekdays: [1, 2, 3, 4, 5, 6, 7],
    from: "22:00",
    to: "06:00",
    firstDay: "",
    lastDay: "",
    detectors: [],
    upTo: "warning",
    scope: scopeDraft({ runId: null, cluster: null }),
  };
}

export function muteDraft(mute: Mute): MuteDraft {
  return {
    ...mute,
    firstDay: mute.startsAtMs === null ? "" : dayText(mute.startsAtMs, mute.zone),
    lastDay: mute.endsAtMs === null ? "" : dayText(mute.endsAtMs - 1, mute.zone),
    scope: scopeDraft(mute.scope),
  };
}

const DAY_MS = 86_400_000;

/** The calendar, or what is wrong with the form, by field. */
export function muteOf(
  draft: MuteDraft,
): { readonly mute: Mute } | { readonly faults: Readonly<Partial<Record<keyof MuteDraft, string>>> } {
  const scope = scopeOf(draft.scope);
  const faults: Partial<Record<keyof MuteDraft, string>> = {};
  if (scope === null) faults.scope = draft.scope.kind === "run" ? "Name the run" : "Name the cluster";
  if (draft.name.trim() === "") faults.name = "Say what it is for";
  if (draft.weekdays.length === 0) faults.weekdays = "Choose at least one day";
  const dayMs = (text: string, add: number): number | null => (text === "" ? null : midnight(text, draft.zone, add));
  const read = muteSchema.safeParse({
    name: draft.name,
    zone: draft.zone,
    weekdays: [...draft.weekdays],
    from: draft.from,
    to: draft.to,
    startsAtMs: dayMs(draft.firstDay, 0),
    endsAtMs: dayMs(draft.lastDay, 1),
    detectors: [...draft.detectors],
    upTo: draft.upTo,
    scope: scope ?? {},
  });
  if (!read.success) {
    for (const { path, message } of read.error.issues) {
      const [field] = path;
      if (field === "zone" || field === "from" || field === "to" || field === "name" || field === "weekdays") faults[field] ??= message;
      if (field === "startsAtMs") faults.firstDay = "must be a day";
      if (field === "endsAtMs") faults.lastDay = "must be a day";
    }
  } else if (read.data.startsAtMs !== null && read.data.endsAtMs !== null && read.data.endsAtMs <= read.data.startsAtMs) {
    faults.lastDay = "It would end before it begins";
  }
  return read.success && Object.keys(faults).length === 0 ? { mute: read.data } : { faults };
}

/** The day in the zone, `YYYY-MM-DD`. */
function dayText(ms: number, zone: Zone): string {
  return formatIso(ms + zoneOffsetMs(zone, ms)).slice(0, 10);
}

/** When that day begins in the zone, so many days later; NaN for what is no day or no zone. */
function midnight(text: string, zone: Zone, addDays: number): number {
  const wall = Date.parse(`${text}T00:00:00Z`) + addDays * DAY_MS;
  try {
    const guess = wall - zoneOffsetMs(zone, wall);
    return wall - zoneOffsetMs(zone, guess);
  } catch (error) {
    // An unknown zone is told beside its own field.
    if (error instanceof RangeError) return Number.NaN;
    throw error;
  }
}
