import { LABELS, SEVERITIES, type Label, type Severity } from "@trainwatch/core";
import { present, readInteger, readText, readWord, readWords } from "../../url/read.ts";

/** `open` is everything that is not resolved, the snoozed ones too. */
export const INBOX_VIEWS = ["open", "snoozed", "resolved", "all"] as const;
export type InboxView = (typeof INBOX_VIEWS)[number];

export const LABEL_FILTERS = ["none", ...LABELS] as const;

export interface IncidentsSearch {
  /** Left out: `open`. */
  readonly view?: InboxView;
  readonly severity?: readonly Severity[];
  /** What people said of the alarm; `none` is nothing so far. */
  readonly label?: Label | "none";
  readonly run?: number;
  /** The selected incident. */
  readonly incident?: number;
  readonly cursor?: string;
}

export function readIncidentsSearch(raw: Record<string, unknown>): IncidentsSearch {
  return present<IncidentsSearch>({
    view: readWord(raw["view"], INBOX_VIEWS),
    severity: readWords(raw["severity"], SEVERITIES),
    label: readWord(raw["label"], LABEL_FILTERS),
    run: readInteger(raw["run"], 1),
    incident: readInteger(raw["incident"], 1),
    cursor: readText(raw["cursor"]),
  });
}
