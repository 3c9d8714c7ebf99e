import { describe, expect, it } from "vitest";
import { XIDS, xidEntry, xidSeverity, xidTitle } from "./xid.ts";
import { XID_ACTIONS, XID_CLASSES, XID_POLICIES } from "./xid-words.ts";

describe("XID catalogue", () => {
  it("names each number once, ascending, with all that an entry needs", () => {
    const numbers = XIDS.map(({ number }) => number);
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
    for (const entry of XIDS) {
      expect(entry.name).toMatch(/^[A-Z0-9_/]+$/);
      expect(entry.title).toMatch(/^[A-Z].*[^.]$/);
      expect(XID_CLASSES).toContain(entry.class);
      expect(XID_POLICIES).toContain(entry.policy);
      expect(XID_ACTIONS[entry.action]).toMatch(/^[A-Z].*[^.]$/);
      expect(xidEntry(entry.number)).toBe(entry);
    }
    expect(new Set(XIDS.map(({ title }) => title)).size).toBe(XIDS.length);
  });

  it("has no class, policy or action that nothing uses", () => {
    expect(new Set(XIDS.map((entry) => entry.class))).toEqual(new Set(XID_CLASSES));
    expect(new Set(XIDS.map((entry) => entry.policy))).toEqual(new Set(XID_POLICIES));
    expect(new Set(XIDS.map((entry) => entry.action))).toEqual(new Set(Object.keys(XID_ACTIONS)));
  });

  it("pages for what drains a node, files a ticket for precursors, and only logs what applications do", () => {
    const page = [
      46, 48, 62, 64, 74, 79, 95, 110, 119, 120, 136, 140, 143, 144, 145, 146, 147, 148, 149, 150, 154, 158, 167, 169, 171, 172, 173,
    ];
    expect(XIDS.filter(({ policy }) => policy === "page").map(({ number }) => number)).toEqual(page);
    for (const number of [32, 63, 92, 94, 109, 121, 155, 156, 157]) expect([number, xidSeverity(number)]).toEqual([number, "warning"]);
    for (const number of [13, 31, 43, 45, 68, 106, 107]) expect([number, xidSeverity(number)]).toEqual([number, "info"]);
    expect(xidSeverity(79)).toBe("critical");
  });

  it("takes a number that nobody knows for a warning", () => {
    expect([xidEntry(999), xidSeverity(999), xidTitle(999)]).toEqual([null, "warning", "XID 999, not in the catalogue"]);
    expect(xidTitle(79)).toBe("XID 79, GPU has fallen off the bus");
  });
});
