import { describe, expect, it } from "vitest";
import type { Finding } from "../finding.ts";
import { aFleetFinding } from "../incident/finding.fixture.ts";
import type { Incident } from "../incident/incident.ts";
import { Ledger } from "../incident/ledger.fixture.ts";
import { noticesOf } from "./policy.ts";
import type { SentNotice } from "./policy.ts";

const T0 = 1_790_000_000_000;
const SECOND = 1_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

function port(atMs: number, endMs: number | null, severity: Finding["severity"] = "critical"): Finding {
  return aFleetFinding({
    atMs,
    node: "c031",
    subject: { kind: "port", id: "c031/port/mlx5_0:1" },
    facts: [{ fact: "link-down", value: null }],
    detector: "port-flap",
    severity,
    ...(endMs === null ? {} : { endMs }),
  });
}

const anIncident = (over: Partial<Incident> = {}, endMs: number | null = null): Incident => ({
  id: 1,
  run: null,
  attempt: "",
  state: "open",
  severity: "critical",
  findings: [port(T0, endMs)],
  regressionOf: null,
  owner: null,
  openedAtMs: T0,
  acknowledgedAtMs: null,
  snoozedUntilMs: null,
  resolvedAtMs: null,
  flaps: 0,
  ...over,
});
/** Of the incident itself, to one channel. */
const ONE = { incidentId: 1, channels: [1], merged: [] } as const;
const sent = (...list: readonly (readonly [SentNotice["reason"], number, SentNotice["severity"]?])[]): readonly SentNotice[] =>
  list.map(([reason, minutes, severity = "critical"]) => ({ ...ONE, reason, severity, atMs: T0 + minutes * MINUTE }));

describe("noticesOf", () => {
  it.each<[string, Incident, readonly SentNotice[], number, readonly string[]]>([
    ["what is new", anIncident(), [], 0, ["opened"]],
    ["what was told already", anIncident(), sent(["opened", 0]), 5, []],
    ["a note", anIncident({ severity: "info" }), [], 0, []],
    ["what somebody has taken before anybody was told", anIncident({ state: "acknowledged" }), [], 0, []],
    ["what is new and over since a minute", anIncident({}, T0 + MINUTE), [], 2, ["opened"]],
    ["what was over for hours when it was first seen", anIncident({}, T0 + MINUTE), [], 120, []],
    ["a ticket that became a page", anIncident(), sent(["opened", 0, "warning"]), 5, ["escalated"]],
    [
      "a page that became one though three were told",
      anIncident(),
      sent(["opened", 0, "warning"], ["over", 10, "warning"], ["reopened", 20, "warning"]),
      30,
      ["escalated"],
    ],
    ["a snoozed one", anIncident({ state: "snoozed", snoozedUntilMs: T0 + HOUR }), sent(["opened", 0]), 5, []],
    ["a snoozed one that was never told of", anIncident({ state: "snoozed", snoozedUntilMs: T0 + HOUR }), [], 5, []],
    [
      "a snoozed one that got worse",
      anIncident({ state: "snoozed", snoozedUntilMs: T0 + HOUR }),
      sent(["opened", 0, "warning"]),
      5,
      ["escalated"],
    ],
    [
      "a snooze that has run out while it goes on",
      anIncident({ state: "snoozed", snoozedUntilMs: T0 + 10 * MINUTE }),
      sent(["opened", 0]),
      11,
      ["reopened"],
    ],
    [
      "the same, opened by a finding that came before the clock",
      anIncident({ state: "open", snoozedUntilMs: T0 + 10 * MINUTE }),
      sent(["opened", 0]),
      11,
      ["reopened"],
    ],
    [
      "the same, opened and told of",
      anIncident({ state: "open", snoozedUntilMs: T0 + 10 * MINUTE }),
      sent(["opened", 0], ["reopened", 11]),
      12,
      [],
    ],
    [
      "the same, told of",
      anIncident({ state: "snoozed", snoozedUntilMs: T0 + 10 * MINUTE }),
      sent(["opened", 0], ["reopened", 11]),
      12,
      [],
    ],
    ["an end of a minute", anIncident({}, T0 + 10 * MINUTE), sent(["opened", 0]), 11, []],
    ["an end that has held for five", anIncident({}, T0 + 10 * MINUTE), sent(["opened", 0]), 15, ["over"]],
    ["the same, told of", anIncident({}, T0 + 10 * MINUTE), sent(["opened", 0], ["over", 15]), 16, []],
    ["an end of what somebody has taken", anIncident({ state: "acknowledged" }, T0 + 10 * MINUTE), sent(["opened", 0]), 15, ["over"]],
    ["what came back", anIncident(), sent(["opened", 0], ["over", 15]), 20, ["reopened"]],
    ["what was resolved", anIncident({ state: "resolved" }, T0 + MINUTE), sent(["opened", 0]), 20, ["resolved"]],
    ["what was resolved and never told of", anIncident({ state: "resolved" }), [], 20, []],
    ["what was resolved, told of", anIncident({ state: "resolved" }), sent(["opened", 0], ["resolved", 15]), 20, []],
    ["what was resolved and is open again", anIncident(), sent(["opened", 0], ["resolved", 15]), 20, ["reopened"]],
    ["a fourth notice", anIncident({}, T0 + 50 * MINUTE), sent(["opened", 0], ["over", 15], ["reopened", 40]), 60, []],
    [
      "a fourth, the third of them since it got worse",
      anIncident({}, T0 + 50 * MINUTE),
      sent(["opened", 0, "warning"], ["over", 15, "warning"], ["escalated", 40]),
      60,
      ["over"],
    ],
  ])("%s", (_, incident, list, minutes, expected) => {
    expect(noticesOf({ isReplaced: false, incident, sent: list, nowMs: T0 + minutes * MINUTE })).toEqual(expected);
  });

  describe("of several that turned out to be one", () => {
    const notice = (incidentId: number, reason: SentNotice["reason"], minutes: number, over: Partial<SentNotice> = {}): SentNotice => ({
      ...ONE,
      incidentId,
      reason,
      severity: "critical",
      atMs: T0 + minutes * MINUTE,
      ...over,
    });
    const both = [notice(1, "opened", 0), notice(2, "opened", 1)];

    it.each<[string, Partial<Incident>, number | null, readonly SentNotice[], readonly string[]]>([
      ["a channel that was told of both is told that they are one", {}, null, both, ["merged"]],
      ["also where somebody has taken it", { state: "acknowledged" }, null, both, ["merged"]],
      ["and once", {}, null, [...both, notice(1, "merged", 5, { merged: [2] })], []],
      [
        "and again when a third turns out to be it as well",
        {},
        null,
        [notice(3, "opened", 0), ...both, notice(1, "merged", 5, { merged: [2] })],
        ["merged"],
      ],
      ["and not where another notice has said so", {}, null, [...both, notice(1, "escalated", 5, { merged: [2] })], []],
      ["and not where each was told to another channel", {}, null, [notice(1, "opened", 0), notice(2, "opened", 1, { channels: [2] })], []],
      ["and not where nobody was told of the one that goes on", {}, null, [notice(2, "opened", 1)], []],
      ["and nobody is woken for what is put off", { state: "snoozed", snoozedUntilMs: T0 + HOUR }, null, both, []],
      [
        "the end of a part is not the end of the whole",
        {},
        null,
        [...both, notice(2, "over", 5), notice(1, "merged", 6, { merged: [2] })],
        [],
      ],
      [
        "nor is the whole back because a part was over",
        {},
        null,
        [notice(1, "opened", 0), notice(2, "opened", 1, { channels: [2] }), notice(2, "over", 5, { channels: [2] })],
        [],
      ],
      [
        "the end of the whole is told after",
        {},
        T0 + MINUTE,
        [...both, notice(2, "over", 5), notice(1, "merged", 6, { merged: [2] })],
        ["over"],
      ],
      [
        "the end of a snooze is told of three that were put off",
        { state: "snoozed", snoozedUntilMs: T0 + 9 * MINUTE },
        null,
        [...both, notice(3, "opened", 2)],
        ["reopened"],
      ],
      [
        "and after it the end of two",
        { snoozedUntilMs: T0 + 3 * MINUTE },
        T0 + 4 * MINUTE,
        [...both, notice(1, "reopened", 3, { merged: [2] })],
        ["over"],
      ],
    ])("%s", (_, over, endMs, list, expected) => {
      expect(noticesOf({ isReplaced: false, incident: anIncident(over, endMs), sent: list, nowMs: T0 + 10 * MINUTE })).toEqual(expected);
    });

    it("a storm of them tells so three times at most", () => {
      const written = [notice(1, "opened", 0)];
      for (let id = 2; id < 12; id++) {
        written.push(notice(id, "opened", id));
        const nowMs = T0 + (id + 0.5) * MINUTE;
        for (const reason of noticesOf({ isReplaced: false, incident: anIncident(), sent: written, nowMs }))
          written.push(notice(1, reason, id + 0.5, { merged: Array.from({ length: id - 1 }, (_, index) => index + 2) }));
      }
      expect(written.filter(({ reason }) => reason === "merged")).toHaveLength(3);
      const after = (over: Partial<Incident>, endMs: number | null): readonly string[] =>
        noticesOf({ isReplaced: false, incident: anIncident(over, endMs), sent: written, nowMs: T0 + HOUR });
      expect([after({}, null), after({}, T0 + 20 * MINUTE), after({ state: "resolved" }, null)]).toEqual([[], ["over"], ["resolved"]]);
    });
  });

  it("believes an end without a time at once of what has not flapped, and else after an hour", () => {
    const over = { ...port(T0, null), state: "recovered" as const };
    const at = (flaps: number, minutes: number): readonly string[] =>
      noticesOf({
        isReplaced: false,
        incident: anIncident({ findings: [over], flaps }),
        sent: sent(["opened", 0]),
        nowMs: T0 + minutes * MINUTE,
      });
    expect([at(0, 1), at(2, 1), at(2, 60)]).toEqual([["over"], [], ["over"]]);
  });

  it.each<[string, Incident, readonly SentNotice[], readonly string[]]>([
    ["what was told as new is over", anIncident(), sent(["opened", 0]), ["over"]],
    ["the same, told of", anIncident(), sent(["opened", 0], ["over", 5]), []],
    [
      "a snooze that runs out wakes nobody, and says that it is over",
      anIncident({ state: "snoozed", snoozedUntilMs: T0 }),
      sent(["opened", 0]),
      ["over"],
    ],
  ])("of an attempt that another has followed: %s", (_, incident, list, expected) => {
    expect(noticesOf({ isReplaced: true, incident, sent: list, nowMs: T0 + 10 * MINUTE })).toEqual(expected);
  });

  it("G1: of a port that flaps every 40 s for an hour two notices are told: that it began, and when it had held for five minutes that it is over", () => {
    const ledger = new Ledger();
    const written: SentNotice[] = [];
    const ask = (nowMs: number): void => {
      const [incident] = ledger.incidents;
      if (incident === undefined) return;
      for (const reason of noticesOf({ isReplaced: false, incident, sent: written, nowMs }))
        written.push({ ...ONE, reason, severity: incident.severity, atMs: nowMs });
    };
    for (let second = 0; second < 2 * 3_600; second += 10) {
      const nowMs = T0 + second * SECOND;
      const [cycle, phase] = [Math.floor(second / 40), second % 40];
      if (cycle < 90 && phase === 0) ledger.fold(port(nowMs, null), nowMs);
      if (cycle < 90 && phase === 20) ledger.fold(port(nowMs - 20 * SECOND, nowMs), nowMs);
      ask(nowMs);
    }
    expect(ledger.only().flaps).toBe(89);
    expect(written.map(({ reason, atMs }) => [reason, (atMs - T0) / MINUTE])).toEqual([
      ["opened", 0],
      ["over", expect.closeTo(64.7, 0)],
    ]);
  });

  it("G1: never more than two in an hour of slow flapping, and three in all", () => {
    const written: SentNotice[] = [];
    const ledger = new Ledger();
    for (let minute = 0; minute < 600; minute++) {
      const nowMs = T0 + minute * MINUTE;
      if (minute % 12 === 0) ledger.fold(port(nowMs, null), nowMs);
      if (minute % 12 === 2) ledger.fold(port(nowMs - 2 * MINUTE, nowMs), nowMs);
      const incident = ledger.only();
      for (const reason of noticesOf({ isReplaced: false, incident, sent: written, nowMs }))
        written.push({ ...ONE, reason, severity: incident.severity, atMs: nowMs });
    }
    expect(written.map(({ reason }) => reason)).toEqual(["opened", "over", "reopened"]);
    const minutes = written.map(({ atMs }) => (atMs - T0) / MINUTE);
    expect(minutes[2]).toBeGreaterThanOrEqual(60);
  });

  it("G6: five restarts that ask again of the same incident say nothing new", () => {
    const incident = anIncident();
    const written: SentNotice[] = [];
    for (let restart = 0; restart < 5; restart++) {
      for (const reason of noticesOf({ isReplaced: false, incident, sent: written, nowMs: T0 + restart * MINUTE })) {
        written.push({ ...ONE, reason, severity: incident.severity, atMs: T0 + restart * MINUTE });
      }
    }
    expect(written.map(({ reason }) => reason)).toEqual(["opened"]);
  });
});
