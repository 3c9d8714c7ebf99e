import figures from "./quality.json" with { type: "json" };

/** What the bench has measured of one detector at its defaults. Null: not measured. */
export interface MeasuredQuality {
  /** Alarms (warnings or worse) on fault-free data, in `per` units; not more than `upper95` in as many, at 95 % (Poisson). */
  readonly falseAlarms: { readonly alarms: number; readonly per: number; readonly upper95: number; readonly unit: string } | null;
  /** From the onset of an injected fault to the detector's first word. */
  readonly delay: { readonly median: number; readonly p90: number | null; readonly unit: string } | null;
  /** Injected faults of the kinds that the detector is made for; Wilson's lower bound of the share at 95 %. */
  readonly recall: { readonly found: number; readonly of: number; readonly low95: number } | null;
}

/** The command that gave the figures; it writes them here and, with all that stands behind them, into docs/detection-quality.md. */
export const QUALITY_COMMAND: string = figures.command;

/** By id of an entry of any registry. */
export const DETECTOR_QUALITY: Readonly<Record<string, MeasuredQuality>> = figures.detectors;
