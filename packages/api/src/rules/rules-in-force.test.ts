import { ruleSchema, type RuleInput, type StoredRule } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { rulesInForce } from "./rules-in-force.ts";

const stored = (...rules: readonly RuleInput[]): readonly StoredRule[] =>
  rules.map((rule, index) => ({ id: index + 1, createdBy: "ada", createdAtMs: 0, updatedAtMs: 0, rule: ruleSchema.parse(rule) }));

const EVERYBODY = {};
const asked = { runId: 7, cluster: "east", nowMs: 1_000 };

describe("rulesInForce", () => {
  it("holds to the defaults where nobody has made a rule", () => {
    const inForce = rulesInForce([], asked);
    expect([inForce.parameters, inForce.metricRules, inForce.isEnabled("loss-shift"), inForce.ruleOf("loss-shift")]).toEqual([
      {},
      [],
      true,
      null,
    ]);
    expect(inForce.severityOf("loss-shift", "critical")).toBe("critical");
  });

  it.each([
    { name: "the run's before the cluster's and everybody's", scopes: [EVERYBODY, { cluster: "east" }, { runId: 7 }], says: 3 },
    { name: "whatever the order in which they were made", scopes: [{ runId: 7 }, EVERYBODY, { cluster: "east" }], says: 1 },
    { name: "the cluster's before everybody's", scopes: [{ cluster: "east" }, EVERYBODY], says: 1 },
    {
      name: "everybody's where the others are for other runs and clusters",
      scopes: [{ runId: 8 }, { cluster: "west" }, EVERYBODY],
      says: 3,
    },
  ])("lets the narrowest scope say: $name", ({ scopes, says }) => {
    const rules = stored(
      ...scopes.map((scope, index) => ({ kind: "detector" as const, detector: "loss-shift", scope, parameters: { threshold: index + 1 } })),
    );
    const inForce = rulesInForce(rules, asked);
    expect(inForce.parameters).toEqual({ "loss-shift": { threshold: says } });
    expect(inForce.ruleOf("loss-shift")?.id).toBe(says);
  });

  it("takes what the narrowest leaves out from the detector and not from a wider rule", () => {
    const inForce = rulesInForce(
      stored(
        { kind: "detector", detector: "loss-shift", scope: EVERYBODY, enabled: false, severity: "warning", parameters: { threshold: 9 } },
        { kind: "detector", detector: "loss-shift", scope: { runId: 7 } },
      ),
      asked,
    );
    expect([inForce.parameters, inForce.isEnabled("loss-shift"), inForce.severityOf("loss-shift", "critical")]).toEqual([
      {},
      true,
      "critical",
    ]);
  });

  it("tells a page as a ticket where a rule says so, and never makes a page of a note", () => {
    const inForce = rulesInForce(
      stored(
        { kind: "detector", detector: "a", scope: EVERYBODY, severity: "warning" },
        { kind: "detector", detector: "b", scope: EVERYBODY, severity: "critical" },
      ),
      asked,
    );
    expect([inForce.severityOf("a", "critical"), inForce.severityOf("b", "info"), inForce.severityOf("b", "warning")]).toEqual([
      "warning",
      "info",
      "critical",
    ]);
  });

  it("lets every threshold on a metric hold that is for the run and on", () => {
    const metric = {
      kind: "metric" as const,
      title: "Hot loss",
      metric: "loss",
      condition: "above" as const,
      value: 4,
      severity: "warning" as const,
    };
    const rules = stored(
      { ...metric, scope: EVERYBODY },
      { ...metric, scope: { runId: 7 } },
      { ...metric, scope: { runId: 8 } },
      { ...metric, scope: EVERYBODY, enabled: false },
    );
    expect(rulesInForce(rules, asked).metricRules.map(({ id }) => id)).toEqual([1, 2]);
  });

  it("asks for no run: only what is for everybody, or for that cluster, holds", () => {
    const rules = stored(
      { kind: "detector", detector: "a", scope: { runId: 7 }, enabled: false },
      { kind: "detector", detector: "b", scope: { cluster: "east" }, enabled: false },
    );
    const { isEnabled } = rulesInForce(rules, { runId: null, cluster: null, nowMs: 1_000 });
    expect([isEnabled("a"), isEnabled("b")]).toEqual([true, true]);
  });

  it("F4: keeps a person's override until it runs out; then what is wider, or the detector itself, says again", () => {
    const rules = stored(
      { kind: "detector", detector: "xid", scope: {}, severity: "warning" },
      { kind: "detector", detector: "xid", scope: { runId: 7 }, enabled: false, untilMs: 1_000 },
    );
    const before = rulesInForce(rules, { ...asked, nowMs: 999 });
    const after = rulesInForce(rules, { ...asked, nowMs: 1_000 });
    expect([before.isEnabled("xid"), after.isEnabled("xid"), after.severityOf("xid", "critical")]).toEqual([false, true, "warning"]);
  });
});
