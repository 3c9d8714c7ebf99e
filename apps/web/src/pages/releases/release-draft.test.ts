import { describe, expect, it } from "vitest";
import { chooseBaseline, NEW_DRAFT, scorecardLabel, specOf, toggleCandidate, type ReleaseDraft } from "./release-draft.ts";

const chosen = (scorecardId: number) => ({ scorecardId, label: `s${scorecardId}` });
const WHOLE: ReleaseDraft = { ...NEW_DRAFT, name: "chat 2.4", baseline: chosen(1), candidates: [chosen(2), chosen(3)] };

describe("a comparison as it is written", () => {
  it("says what is compared and how", () => {
    expect(specOf({ ...WHOLE, signers: "Safety, Owner, Safety" }).spec).toEqual({
      name: "chat 2.4",
      baselineId: 1,
      candidateIds: [2, 3],
      correction: "holm",
      level: 0.95,
      margin: 0.01,
      signers: ["Safety", "Owner"],
    });
  });

  it.each([
    [{ name: " " }, "A name is missing"],
    [{ baseline: null }, "A baseline is missing"],
    [{ candidates: [] }, "A candidate is missing"],
    [{ candidates: Array.from({ length: 16 }, (_, index) => chosen(index + 2)) }, "At most 15 candidates"],
    [{ level: "79" }, "A confidence from 80 to 99.9 %"],
    [{ margin: "0" }, "A margin above 0, up to 100 % of the scale"],
    [{ signers: " , " }, "Who signs is missing"],
  ])("%o: %s", (over, fault) => {
    expect(specOf({ ...WHOLE, ...over })).toEqual({ spec: null, fault });
  });

  it("never takes one scorecard as baseline and candidate", () => {
    const taken = chooseBaseline(WHOLE, chosen(2));
    expect(taken.baseline?.scorecardId).toBe(2);
    expect(taken.candidates.map(({ scorecardId }) => scorecardId)).toEqual([3]);
    expect(toggleCandidate(taken, chosen(2)).baseline).toBeNull();
  });

  it("takes back what is pressed again", () => {
    expect(toggleCandidate(WHOLE, chosen(3)).candidates).toEqual([chosen(2)]);
    expect(chooseBaseline(WHOLE, chosen(1)).baseline).toBeNull();
  });

  it("names a checkpoint by run and step, a model by its name", () => {
    expect(scorecardLabel({ model: "m", run: { runId: 1, project: "lab", name: "rl" }, step: 1_800 })).toBe("lab/rl, step 1,800");
    expect(scorecardLabel({ model: "m", run: null, step: null })).toBe("m");
  });
});
