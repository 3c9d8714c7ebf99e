import { present, readInteger, readText, readWord } from "../../url/read.ts";

export const SETTINGS_TABS = ["tokens", "rules", "mutes", "channels", "retention", "audit"] as const;
export type SettingsTab = (typeof SETTINGS_TABS)[number];

export interface SettingsSearch {
  /** Left out: `tokens`. */
  readonly tab?: SettingsTab;
  /** What is being edited: an id, `new`, or for rules `new:metric` and `new:<detector>`. */
  readonly edit?: string;
  /** The channel whose deliveries are listed. */
  readonly channel?: number;
  /** Where the page of the audit trail, or of the delivery log, begins. */
  readonly cursor?: string;
}

export function readSettingsSearch(raw: Record<string, unknown>): SettingsSearch {
  return present<SettingsSearch>({
    tab: readWord(raw["tab"], SETTINGS_TABS),
    edit: readText(raw["edit"]),
    channel: readInteger(raw["channel"], 1),
    cursor: readText(raw["cursor"]),
  });
}
