import { z } from "zod";
import { textSchema } from "../text.ts";

/**
 * What decides whether two results were measured alike. A name that is absent was not told by the source; "none" is a told value.
 * `generation.*` holds sampling parameters by the source's own names.
 */
export const SETTING_TITLES = {
  taskVersion: "task version",
  taskHash: "task hash",
  nShot: "n-shot",
  chatTemplate: "chat template",
  systemPrompt: "system prompt",
  promptTemplate: "prompt template",
  fewshotAsMultiturn: "few-shot as multi-turn",
  limit: "sample limit",
  judge: "judge",
  opponent: "opponent",
  scorer: "scorer",
  epochs: "epochs",
  harness: "harness",
  harnessVersion: "harness version",
} as const;
export type SettingName = keyof typeof SETTING_TITLES | `generation.${string}`;

const settingValueSchema = z.union([textSchema.max(512), z.number(), z.boolean()]);
export const evalSettingsSchema = z
  .record(textSchema.min(1).max(128), settingValueSchema)
  .refine((settings) => Object.keys(settings).length <= 64, "at most 64 settings a result");
/** By {@link SettingName}. */
export type EvalSettings = Readonly<Record<string, string | number | boolean>>;

/** The name of a setting in words: "n-shot", "generation temperature". */
export function settingTitle(name: string): string {
  const titles: Readonly<Record<string, string>> = SETTING_TITLES;
  return titles[name] ?? name.replace(/^generation\./, "generation ");
}
