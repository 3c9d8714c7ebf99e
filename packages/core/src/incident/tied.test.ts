import { describe, expect, it } from "vitest";
import { anXid } from "./finding.fixture.ts";
import type { Incident } from "./incident.ts";
import { mergedIncident } from "./tied.ts";

const T0 = 1_790_000_000_000;
const MINUTE = 60_000;

const anIncident = (id: number, over: Partial<Incident> = {}): Incident => ({
  id,
  run: "lab/base",
  attempt: "a1",
  state: "open",
  severity: "warning",
  findings: [anXid(31, `c00${id}`, T0, { severity: "warning" })],
  regressionOf: null,
  owner: null,
  openedAtMs: T0 + id * MINUTE,
  acknowledgedAtMs: null,
  snoozedUntilMs: null,
  resolvedAtMs: null,
  flaps: 0,
  ...over,
});

const taken = (id: number, atMs: number): Incident => anIncident(id, { state: "acknowledged", owner: "ada", acknowledgedAtMs: atMs });

describe("several incidents as one", () => {
  it.each<[string, Incident, Incident, Partial<Incident>]>([
    [
      "the elder, when both were known",
      taken(1, T0 + 9 * MINUTE),
      anIncident(2),
      { state: "acknowledged", owner: "ada", acknowledgedAtMs: T0 + 9 * MINUTE },
    ],
    ["the younger", anIncident(1), taken(2, T0 + 9 * MINUTE), { state: "acknowledged", owner: "ada", acknowledgedAtMs: T0 + 9 * MINUTE }],
    // Who looks at the elder one has been told nothing of the other.
    [
      "the elder, before the younger was known",
      taken(1, T0 + 1.5 * MINUTE),
      anIncident(2),
      { state: "open", owner: "ada", acknowledgedAtMs: null },
    ],
    [
      "both, each at its time",
      taken(1, T0 + 1.5 * MINUTE),
      taken(2, T0 + 3 * MINUTE),
      { state: "acknowledged", acknowledgedAtMs: T0 + 3 * MINUTE },
    ],
  ])("where somebody has taken %s", (_, elder, younger, expected) => {
    expect(mergedIncident(elder, [younger], T0 + 10 * MINUTE)).toMatchObject({ id: 1, openedAtMs: T0 + MINUTE, ...expected });
  });

  it("are no regression of one of themselves, but of what was before them", () => {
    const itself = mergedIncident(anIncident(3), [anIncident(5, { regressionOf: 3 })], T0 + 10 * MINUTE);
    const before = mergedIncident(
      anIncident(3),
      [anIncident(5, { regressionOf: 3 }), anIncident(6, { regressionOf: 2 })],
      T0 + 10 * MINUTE,
    );
    expect([itself.regressionOf, before.regressionOf]).toEqual([null, 2]);
  });
});
