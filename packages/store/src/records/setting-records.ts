import type { Settings } from "@trainwatch/core";
import type { Db } from "./db.ts";
import { asJson } from "./json.ts";

export interface SettingRecords {
  get(): Promise<Settings>;
  set(settings: Settings, nowMs: number): Promise<void>;
}

/** Nothing is deleted unless somebody says so. */
const DEFAULTS: Settings = { retentionDays: null };

export function createSettingRecords(db: Db): SettingRecords {
  return {
    async get() {
      const row = await db.setting.findUnique({ where: { key: "retentionDays" } });
      return { ...DEFAULTS, ...(typeof row?.value === "number" ? { retentionDays: row.value } : {}) };
    },
    async set({ retentionDays }, nowMs) {
      if (retentionDays === null) {
        await db.setting.deleteMany({ where: { key: "retentionDays" } });
        return;
      }
      const value = { value: asJson(retentionDays), updatedAtMs: nowMs };
      await db.setting.upsert({ where: { key: "retentionDays" }, create: { key: "retentionDays", ...value }, update: value });
    },
  };
}
