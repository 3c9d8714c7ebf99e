import type { Passport, Severity } from "@trainwatch/core";
import { formatCount, formatInteger } from "../../format/index.ts";

/** One attempt on the way to the weights, in steps. */
export interface LineagePart {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** The attempt that saved the weights. */
  readonly newest: boolean;
  /** "1,400 steps". */
  readonly text: string;
  readonly title: string;
}

/** Steps that were trained and thrown away: not in the weights. */
export interface LineageStub {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  readonly title: string;
}

export interface LineageEvent {
  readonly incidentId: number;
  readonly step: number;
  readonly severity: Severity;
  /** Short enough to stand beside its mark. */
  readonly text: string;
  readonly title: string;
}

/** What the weights of one checkpoint have seen, from their first step to their own. */
export interface Lineage {
  readonly from: number;
  readonly to: number;
  readonly parts: readonly LineagePart[];
  readonly stubs: readonly LineageStub[];
  /** Data that was skipped: inside the steps, outside the weights. */
  readonly skipped: readonly { readonly from: number; readonly to: number; readonly title: string }[];
  readonly events: readonly LineageEvent[];
  /** The whole picture for those who do not see it. */
  readonly summary: string;
}

/** Longer titles are cut: the whole one is on hover, and spoken. */
const TEXT_CHARS = 44;

/** Null where no attempt says which steps it took. */
export function lineageOf(passport: Pick<Passport, "lineage" | "events" | "skipped"> & { readonly step: number }): Lineage | null {
  const { step } = passport;
  const known = passport.lineage.flatMap(({ attempt, fromStep, toStep, rolledBack }) =>
    fromStep === null ? [] : [{ attempt, from: fromStep, to: Math.max(fromStep, Math.min(toStep ?? step, step)), rolledBack }],
  );
  if (known.length === 0) return null;
  const from = Math.min(...known.map((part) => part.from));
  const parts = known.map((part, index): LineagePart => {
    const text = formatCount(part.to - part.from + 1, "step");
    return {
      name: part.attempt,
      from: part.from,
      to: part.to,
      newest: index === known.length - 1,
      text,
      title: `${part.attempt}: steps ${formatInteger(part.from)} to ${formatInteger(part.to)} are in the weights`,
    };
  });
  const stubs = known.flatMap(({ attempt, rolledBack }) =>
    rolledBack.map(({ fromStep, toStep, reason }): LineageStub => {
      const count = formatCount(toStep - fromStep + 1, "step");
      return {
        from: fromStep,
        to: toStep,
        text: `rolled back ${count}${reason === null ? "" : `, ${shortened(reason)}`}`,
        title: `${attempt}: steps ${formatInteger(fromStep)} to ${formatInteger(toStep)} were rolled back and are not in the weights${reason === null ? "" : `: ${reason}`}`,
      };
    }),
  );
  const skipped = passport.skipped.map(({ fromStep, toStep, incidentId }) => ({
    from: fromStep,
    to: toStep,
    title: `data of steps ${formatInteger(fromStep)} to ${formatInteger(toStep)} skipped, incident #${incidentId}`,
  }));
  const events = passport.events.flatMap((event): LineageEvent[] => {
    if (event.step === null || event.step > step) return [];
    const whole = `${event.title}, ${event.outcome}`;
    return [
      { incidentId: event.incidentId, step: Math.max(from, event.step), severity: event.severity, text: shortened(whole), title: whole },
    ];
  });
  return { from, to: Math.max(step, from + 1), parts, stubs, skipped, events, summary: summaryOf(parts, stubs, skipped, events, step) };
}

function shortened(text: string): string {
  if (text.length <= TEXT_CHARS) return text;
  const cut = text.slice(0, TEXT_CHARS);
  const space = cut.lastIndexOf(" ");
  return `${(space > TEXT_CHARS / 2 ? cut.slice(0, space) : cut).replace(/[,;:.]$/, "")}…`;
}

function summaryOf(
  parts: readonly LineagePart[],
  stubs: readonly LineageStub[],
  skipped: Lineage["skipped"],
  events: readonly LineageEvent[],
  step: number,
): string {
  const told = [...parts.map(({ title }) => title), ...stubs.map(({ title }) => title), ...skipped.map(({ title }) => title)];
  const happened = events.map((event) => `${event.severity} at step ${formatInteger(event.step)}: ${event.title}`);
  return `${[...told, ...happened].join(". ")}. This checkpoint is step ${formatInteger(step)}.`;
}
