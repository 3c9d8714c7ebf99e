import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { severityRank } from "../severity.ts";
import { applyIncidentAction } from "./actions.ts";
import { describeIncident } from "./describe.ts";
import { aFinding } from "./finding.fixture.ts";
import type { Incident } from "./incident.ts";
import { Ledger } from "./ledger.fixture.ts";

describe("foldFinding", () => {
  it("F7: an update norm that rose at 1,200 and a loss that rose at 1,230 are one incident with onset 1,200", () => {
    const ledger = new Ledger();
    ledger.fold(aFinding({ onsetStep: 1_200, metric: "update_norm", severity: "info" }));
    expect(ledger.incidents).toEqual([]);
    const outcome = ledger.fold(aFinding({ onsetStep: 1_230 }));
    expect(outcome.kind === "open" && outcome.adopted.map((finding) => finding.metric)).toEqual(["update_norm"]);
    const said = describeIncident(ledger.only());
    expect(said.onsetStep).toBe(1_200);
    expect(said.title).toBe("Loss spike ×2.4 at step 1,230, not recovered; update norm rose first, at 1,200");
    expect(ledger.notes).toEqual([]);
  });

  it("F7: 130 spikes in 2,500 steps fold into one incident that speaks of the regime", () => {
    const ledger = new Ledger();
    for (let spike = 0; spike < 130; spike++) {
      const onsetStep = 1_000 + Math.floor((spike * 2_500) / 130);
      ledger.fold(aFinding({ onsetStep, state: "recovered", endStep: onsetStep + 6 }));
    }
    expect(ledger.only().findings).toHaveLength(130);
    expect(describeIncident(ledger.only()).title).toBe("Loss unstable, 130 spikes from step 1,000 to 3,480, recovered after each");
  });

  it("F7: folds spikes that come at random, one in some hundred steps, into one incident too", () => {
    const ledger = new Ledger();
    const gaps = [40, 210, 90, 330, 15, 60, 480, 120, 75, 160, 200, 30, 250, 110, 95, 140, 20, 310, 65, 180];
    let onsetStep = 1_000;
    for (const gap of gaps) {
      onsetStep += gap;
      ledger.fold(aFinding({ onsetStep, state: "recovered", endStep: onsetStep + 6 }));
    }
    expect(ledger.only().findings).toHaveLength(gaps.length);
  });

  it("keeps two spikes apart when four baselines of quiet lie between them", () => {
    const ledger = new Ledger();
    ledger.fold(aFinding({ onsetStep: 1_000, state: "recovered", endStep: 1_010 }));
    ledger.fold(aFinding({ onsetStep: 1_600, state: "recovered", endStep: 1_610 }));
    expect(ledger.incidents).toHaveLength(2);
  });

  it("measures quiet in the logging interval, and in sparse logs not in tens of thousands of steps", () => {
    const tens = new Ledger(10);
    tens.fold(aFinding({ onsetStep: 1_000, state: "recovered", endStep: 1_100 }));
    tens.fold(aFinding({ onsetStep: 2_000, state: "recovered", endStep: 2_100 }));
    expect(tens.incidents).toHaveLength(1);
    const hundreds = new Ledger(500);
    hundreds.fold(aFinding({ onsetStep: 10_000, state: "recovered", endStep: 11_000 }));
    hundreds.fold(aFinding({ onsetStep: 30_000, state: "recovered", endStep: 31_000 }));
    expect(hundreds.incidents).toHaveLength(2);
  });

  it("takes a non-finite loss after a spike into the same incident and escalates it", () => {
    const ledger = new Ledger();
    ledger.fold(aFinding({ onsetStep: 500 }));
    const outcome = ledger.fold(
      aFinding({ onsetStep: 900, detector: "non-finite", severity: "critical", state: "non-finite", shape: "jump", peakValue: "NaN" }),
    );
    expect(outcome).toMatchObject({ kind: "join", escalated: true, reopened: false });
    expect(describeIncident(ledger.only())).toMatchObject({
      severity: "critical",
      onsetStep: 500,
      ongoing: true,
      title: "Loss non-finite from step 900",
    });
  });

  it("opens nothing for info, whatever it says", () => {
    const ledger = new Ledger();
    expect(ledger.fold(aFinding({ onsetStep: 700, severity: "info", shape: "point" }))).toMatchObject({ kind: "note" });
    expect(ledger.fold(aFinding({ onsetStep: 700, metric: "grad_norm", severity: "info" }))).toMatchObject({ kind: "note" });
    expect(ledger.incidents).toEqual([]);
  });

  it("leaves one-step loss outliers on the chart even inside an incident", () => {
    const ledger = new Ledger();
    ledger.fold(aFinding({ onsetStep: 1_000 }));
    expect(ledger.fold(aFinding({ onsetStep: 1_020, severity: "info", shape: "point", detector: "outlier" })).kind).toBe("note");
    expect(ledger.only().findings).toHaveLength(1);
  });

  it("takes a one-step gradient outlier just before the loss spike as its forerunner, and one long before not", () => {
    const ledger = new Ledger();
    ledger.fold(
      aFinding({
        onsetStep: 11_300,
        metric: "grad_norm",
        severity: "info",
        shape: "point",
        endStep: 11_300,
        state: "recovered",
        detectedStep: 11_300,
        peakStep: 11_300,
      }),
    );
    ledger.fold(
      aFinding({
        onsetStep: 11_447,
        metric: "grad_norm",
        severity: "info",
        shape: "point",
        endStep: 11_447,
        state: "recovered",
        detectedStep: 11_447,
        peakStep: 11_447,
      }),
    );
    ledger.fold(aFinding({ onsetStep: 11_448 }));
    expect(describeIncident(ledger.only()).onsetStep).toBe(11_447);
    expect(ledger.notes.map((note) => note.onsetStep)).toEqual([11_300]);
  });

  it("does not back-date a spike to a note that has gone on for the whole run", () => {
    const ledger = new Ledger();
    ledger.fold(aFinding({ onsetStep: 1_000, metric: "grad_norm", severity: "info" }));
    ledger.fold(aFinding({ onsetStep: 50_000 }));
    expect(describeIncident(ledger.only()).onsetStep).toBe(50_000);
  });

  it("does not blame a slow step on a loss spike of the same hour", () => {
    const ledger = new Ledger();
    ledger.fold(aFinding({ onsetStep: 1_000 }));
    ledger.fold(aFinding({ onsetStep: 1_001, metric: "step_time", peakValue: 5.7, baselineValue: 5 }));
    expect(ledger.incidents.map((incident) => describeIncident(incident).title)).toEqual([
      "Loss spike ×2.4 at step 1,000, not recovered",
      "Step time change +14 % at step 1,001, not recovered",
    ]);
  });

  it("keeps attempts apart: a baseline is rebuilt for each", () => {
    const ledger = new Ledger();
    ledger.fold(aFinding({ onsetStep: 1_000 }));
    ledger.fold(aFinding({ onsetStep: 1_005, attempt: "a2" }));
    expect(ledger.incidents.map((incident) => incident.attempt)).toEqual(["a1", "a2"]);
  });

  it("opens a regression when the fault comes back after it was resolved", () => {
    const ledger = new Ledger();
    ledger.fold(aFinding({ onsetStep: 1_000, state: "recovered", endStep: 1_020 }));
    const resolved = applyIncidentAction(ledger.only(), { kind: "resolve", actor: "ops" }, 2_000);
    if (!resolved.ok) throw new Error(resolved.message);
    ledger.incidents = [resolved.incident];
    const outcome = ledger.fold(aFinding({ onsetStep: 1_060 }), 3_000);
    expect(outcome).toMatchObject({ kind: "open", incident: { state: "open", regressionOf: 1, openedAtMs: 3_000 } });
    expect(ledger.incidents[0]?.state).toBe("resolved");
  });

  it("C11: opens a regression for the same steps in the attempt after a rollback", () => {
    const ledger = new Ledger();
    ledger.fold(aFinding({ onsetStep: 5_000, state: "recovered", endStep: 5_050 }));
    ledger.incidents = ledger.incidents.map((incident) => ({ ...incident, state: "resolved", resolvedAtMs: 1_500 }));
    expect(ledger.fold(aFinding({ onsetStep: 5_010, attempt: "a2" }))).toMatchObject({
      kind: "open",
      incident: { attempt: "a2", regressionOf: 1 },
    });
  });

  it("wakes a snoozed and reopens a resolved incident whose own finding got worse", () => {
    for (const state of ["snoozed", "resolved"] as const) {
      const ledger = new Ledger();
      const finding = aFinding({ onsetStep: 1_000 });
      ledger.fold(finding);
      ledger.incidents = [{ ...ledger.only(), state, snoozedUntilMs: state === "snoozed" ? 9_000 : null }];
      expect(ledger.fold({ ...finding, severity: "critical", state: "diverged" })).toMatchObject({
        kind: "join",
        escalated: true,
        reopened: true,
        incident: { state: "open" },
      });
    }
  });

  it("does not disturb a snoozed or resolved incident whose finding only recovered", () => {
    for (const state of ["snoozed", "resolved"] as const) {
      const ledger = new Ledger();
      const finding = aFinding({ onsetStep: 1_000 });
      ledger.fold(finding);
      ledger.incidents = [{ ...ledger.only(), state, snoozedUntilMs: state === "snoozed" ? 9_000 : null }];
      expect(ledger.fold({ ...finding, state: "recovered", endStep: 1_030 })).toMatchObject({
        kind: "join",
        escalated: false,
        reopened: false,
        incident: { state },
      });
      expect(describeIncident(ledger.only()).ongoing).toBe(false);
    }
  });
});

const findingArbitrary = fc
  .record({
    onsetStep: fc.integer({ min: 100, max: 6_000 }),
    length: fc.option(fc.integer({ min: 1, max: 300 }), { nil: null }),
    metric: fc.constantFrom("loss", "grad_norm", "update_norm", "step_time", "custom"),
    attempt: fc.constantFrom("a1", "a2"),
    severity: fc.constantFrom("info", "warning", "critical"),
    shape: fc.constantFrom("jump", "ramp", "point"),
  })
  .map(({ length, ...rest }) =>
    aFinding({ ...rest, state: length === null ? "ongoing" : "recovered", endStep: length === null ? null : rest.onsetStep + length }),
  );

describe("foldFinding over any sequence of findings", () => {
  it("holds every finding once, never mixes attempts, opens for no info alone, and never lowers a severity", () => {
    fc.assert(
      fc.property(fc.array(findingArbitrary, { maxLength: 40 }), fc.constantFrom(1, 10, 100), (findings, logEvery) => {
        const ledger = new Ledger(logEvery);
        for (const finding of findings) {
          const before = new Map(ledger.incidents.map((incident) => [incident.id, severityRank(incident.severity)]));
          ledger.fold(finding);
          for (const incident of ledger.incidents)
            expect(severityRank(incident.severity)).toBeGreaterThanOrEqual(before.get(incident.id) ?? 0);
        }
        const held = [...ledger.incidents.flatMap((incident) => incident.findings), ...ledger.notes].map((finding) => finding.id);
        expect(new Set(held).size).toBe(held.length);
        expect(new Set(held)).toEqual(new Set(findings.map((finding) => finding.id)));
        for (const incident of ledger.incidents) {
          expect(incident.findings.every((finding) => finding.attempt === incident.attempt)).toBe(true);
          expect(incident.severity).not.toBe("info");
          const onsets = incident.findings.map((finding) => finding.onsetStep ?? Number.NaN);
          expect(describeIncident(incident).onsetStep).toBe(Math.min(...onsets));
        }
      }),
    );
  });

  it("is idempotent: folding every finding again changes nothing", () => {
    fc.assert(
      fc.property(fc.uniqueArray(findingArbitrary, { maxLength: 30, selector: (finding) => finding.id }), (findings) => {
        const ledger = new Ledger();
        for (const finding of findings) ledger.fold(finding);
        const incidents = ledger.incidents;
        // A note may be adopted on the second pass when an incident has grown towards it; those in incidents stay as they are.
        for (const finding of incidents.flatMap((incident) => incident.findings)) ledger.fold(finding);
        const ids = (list: readonly Incident[]): readonly (readonly string[])[] =>
          list.map((incident) => incident.findings.map((finding) => finding.id));
        expect(ids(ledger.incidents).map((list, index) => (ids(incidents)[index] ?? []).every((id) => list.includes(id)))).toEqual(
          incidents.map(() => true),
        );
        expect(ledger.incidents).toHaveLength(incidents.length);
      }),
    );
  });
});
