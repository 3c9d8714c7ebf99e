import type { Settings } from "@trainwatch/core";
import type { Db } from "./db.ts";
import { asJson } from "./json.ts";

export interface SettingRecords {
  get(): Promise<Settings>;
  set(settings: Settings, nowMs: number): Promise<void>;
}

/** Of runs nothing is deleted unless somebody says so. A fleet never stops: its readings go after a month, and what is kept of them after a year. */
const DEFAULTS: Settings = { retentionDays: null, fleetRawDays: 30, fleetCellDays: 400 };
const KEYS = ["retentionDays", "fleetRawDays", "fleetCellDays"] as const satisfies readonly (keyof Settings)[];

export function createSettingRecords(db: Db): SettingRecords {
  return {
    async get() {
      const rows = await db.setting.findMany({ where: { key: { in: [...KEYS] } } });
      const stored = new Map(rows.map(({ key, value }) => [key, value]));
      const days = <T>(key: keyof Settings, otherwise: T): number | T => {
        const value = stored.get(key);
        return typeof value === "number" ? value : otherwise;
      };
      return {
        retentionDays: days("retentionDays", DEFAULTS.retentionDays),
        fleetRawDays: days("fleetRawDays", DEFAULTS.fleetRawDays),
        fleetCellDays: days("fleetCellDays", DEFAULTS.fleetCellDays),
      };
    },
    async set(settings, nowMs) {
      for (const key of KEYS) {
        const days = settings[key];
        if (days === null) await db.setting.deleteMany({ where: { key } });
        else {
          const value = { value: asJson(days), updatedAtMs: nowMs };
          await db.setting.upsert({ where: { key }, create: { key, ...value }, update: value });
        }
      }
    },
  };
}
