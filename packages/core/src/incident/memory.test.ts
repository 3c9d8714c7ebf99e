import { describe, expect, it } from "vitest";
import { aFleetFinding, aHang, anXid } from "./finding.fixture.ts";
import { Ledger } from "./ledger.fixture.ts";

const T0 = 1_790_000_000_000;
const SECOND = 1_000;
const DAY = 86_400_000;
const GPU = { kind: "gpu", id: "GPU-aaaaaaaa-1" } as const;
const ON_RUN = { run: "lab/base", attempt: "a1" };
const OF_NO_RUN = { run: null, attempt: null };

const aRemap = aFleetFinding({
  atMs: T0 - 21 * DAY,
  node: "c007",
  subject: GPU,
  facts: [{ fact: "node-memory-error", value: 0 }],
  detector: "row-remap",
  severity: "warning",
});
const aMemoryXid = anXid(48, "c007", T0, { subject: GPU });

describe("a ticket of weeks ago about the memory of a GPU", () => {
  it.each([
    ["of no run", OF_NO_RUN],
    ["of the run", ON_RUN],
  ])("%s takes nothing in of the run that a new error of that memory stops", (_, of) => {
    const ledger = new Ledger();
    ledger.fold(aRemap, T0 - 21 * DAY, of);
    ledger.incidents = ledger.incidents.map((incident) => ({
      ...incident,
      state: "acknowledged",
      owner: "ada",
      acknowledgedAtMs: T0 - 20 * DAY,
    }));
    ledger.fold(aHang(10, T0 + 10 * SECOND), T0 + 70 * SECOND);
    const outcome = ledger.fold(aMemoryXid, T0 + 90 * SECOND);
    expect(outcome).toMatchObject({ kind: "join", absorbed: [] });
    expect(
      ledger.incidents.map(({ state, run, openedAtMs, findings }) => [state, run, openedAtMs, findings.map(({ detector }) => detector)]),
    ).toEqual([
      ["acknowledged", of.run, T0 - 21 * DAY, ["row-remap"]],
      ["open", "lab/base", T0 + 70 * SECOND, ["xid", "hang"]],
    ]);
  });

  it("takes in what is told of that memory while nothing nearer is open", () => {
    const ledger = new Ledger();
    ledger.fold(aRemap, T0 - 21 * DAY, OF_NO_RUN);
    ledger.fold(aMemoryXid, T0 + 90 * SECOND);
    expect(ledger.only().findings.map(({ detector }) => detector)).toEqual(["row-remap", "xid"]);
  });

  it("and another of them stay two, whatever more is told of that memory", () => {
    const ledger = new Ledger();
    ledger.fold(aRemap, T0 - 21 * DAY, OF_NO_RUN);
    const [older] = ledger.incidents;
    if (older === undefined) throw new Error("no incident");
    ledger.incidents.push({ ...older, id: 2, findings: [{ ...aRemap, id: "later", fingerprint: "later", onsetTimeMs: T0 - 7 * DAY }] });
    ledger.fold(aMemoryXid, T0 + 90 * SECOND, OF_NO_RUN);
    expect(ledger.incidents.map(({ findings }) => findings.length)).toEqual([1, 2]);
  });
});
