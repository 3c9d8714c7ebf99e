import { describe, expect, it } from "vitest";
import { formatDateTime, formatIso, formatMoment, zoneName, zoneOffsetMs } from "./time.ts";

const now = Date.UTC(2026, 2, 12, 3, 14, 20);

describe("times on a page", () => {
  it("bears the zone", () => {
    expect(formatDateTime(now, "UTC", now)).toBe("Mar 12 03:14:20 UTC");
    expect(formatDateTime(now, "Europe/Berlin", now)).toBe("Mar 12 04:14:20 GMT+1");
  });

  it("writes midnight as 00 and not as 24", () => {
    expect(formatDateTime(Date.UTC(2026, 2, 12), "UTC", now)).toBe("Mar 12 00:00:00 UTC");
  });

  it("names the year only where it is another one", () => {
    expect(formatDateTime(Date.UTC(2024, 4, 2, 1, 2, 3), "UTC", now)).toBe("May 2 2024 01:02:03 UTC");
  });

  it("leaves the date to the column's head today and to the zone's midnight", () => {
    expect(formatMoment(Date.UTC(2026, 2, 12, 2, 58, 10), "UTC", now)).toBe("02:58:10");
    expect(formatMoment(Date.UTC(2026, 2, 11, 23, 31), "UTC", now)).toBe("Mar 11 23:31");
    expect(formatMoment(Date.UTC(2026, 2, 11, 23, 31), "Europe/Berlin", now)).toBe("00:31:00");
  });

  it.each([null, Number.NaN, 9e15])("shows %s as missing instead of failing", (ms) => {
    expect(formatDateTime(ms, "UTC", now)).toBe("–");
    expect(formatIso(ms)).toBe("–");
  });

  it("knows how far a zone is from UTC, over a change of daylight saving", () => {
    expect(zoneOffsetMs("UTC", now)).toBe(0);
    expect(zoneOffsetMs("Asia/Kolkata", now)).toBe(5.5 * 3_600_000);
    expect(zoneOffsetMs("Europe/Berlin", Date.UTC(2026, 0, 1, 0, 0, 0, 123))).toBe(3_600_000);
    expect(zoneOffsetMs("Europe/Berlin", Date.UTC(2026, 6, 1))).toBe(7_200_000);
    expect(zoneName("UTC", now)).toBe("UTC");
  });
});
