import { present, readText, readWord } from "../../url/read.ts";

export const SETTINGS_TABS = ["tokens", "retention", "audit"] as const;
export type SettingsTab = (typeof SETTINGS_TABS)[number];

export interface SettingsSearch {
  /** Left out: `tokens`. */
  readonly tab?: SettingsTab;
  /** Where the page of the audit trail begins. */
  readonly cursor?: string;
}

export function readSettingsSearch(raw: Record<string, unknown>): SettingsSearch {
  return present<SettingsSearch>({ tab: readWord(raw["tab"], SETTINGS_TABS), cursor: readText(raw["cursor"]) });
}
