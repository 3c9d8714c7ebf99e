import { describeIncident, foldFinding, type Incident, type Sample } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { CONTEXT, findingsOf, series, woven } from "./testing/series.fixture.ts";

const ONSET = 600;

const loss = (level: (index: number) => number): Sample[] => series({ count: 1_400, seed: 3, level });
/** Goes fivefold with the loss and stays there. */
const risenNorm = series({
  metric: "grad_norm",
  count: 1_400,
  sigma: 0.15,
  seed: 5,
  level: (index) => (index >= ONSET - 2 ? 5 : 1),
});

/** All findings of a run that has ended, folded as they came. */
function incidentOf(samples: readonly Sample[]): Incident {
  let incidents: readonly Incident[] = [];
  for (const finding of findingsOf(samples)) {
    const outcome = foldFinding(finding, { run: CONTEXT.run, incidents, notes: [], logEvery: 1, nowMs: 0 });
    if (outcome.kind === "open") incidents = [...incidents, { ...outcome.incident, id: incidents.length + 1 }];
    if (outcome.kind === "join") incidents = incidents.map((held) => (held.id === outcome.incident.id ? outcome.incident : held));
  }
  const [incident, second] = incidents;
  if (incident === undefined || second !== undefined) throw new Error(`expected one incident, got ${incidents.length}`);
  return incident;
}

describe("an incident of a loss and a gradient norm that settled at another level", () => {
  it("has recovered where the loss has, though the norm has not", () => {
    const incident = incidentOf(
      woven(
        loss((index) => (index >= ONSET && index < ONSET + 60 ? 4 : 2)),
        risenNorm,
      ),
    );
    const norm = incident.findings.find(({ metric }) => metric === "grad_norm");
    expect(norm).toMatchObject({ state: "shifted", severity: "warning" });
    expect(norm?.evidence.map(({ text }) => text).find((text) => text.startsWith("The loss rose"))).toMatch(/; it is back$/);
    const said = describeIncident(incident);
    expect([said.findingState, said.ongoing, said.lead.metric]).toEqual(["recovered", false, "loss"]);
    expect(said.title).toMatch(/^Loss spike .* recovered at /);
  });

  it("has not where the loss has not", () => {
    const incident = incidentOf(
      woven(
        loss((index) => (index < ONSET ? 2 : index < ONSET + 30 ? 4 : 2.08)),
        risenNorm,
      ),
    );
    const said = describeIncident(incident);
    expect([said.findingState, said.ongoing, said.lead.metric]).toEqual(["shifted", true, "loss"]);
  });
});
