import { expect, it } from "vitest";
import { aFinding } from "./finding.fixture.ts";
import { sayNodeId, saySubject } from "./subject-words.ts";

const MACHINE = "b43cc963e1547ba7025992abb2b6caec";

it("shortens a machine id like a UUID, and leaves a host's name whole", () => {
  expect(["name:c11-n07", "c11-n07", MACHINE].map(sayNodeId)).toEqual(["c11-n07", "c11-n07", "b43cc963…"]);
  const place = { rank: 9, gpuId: "GPU-c55c14ef-bd7f", nodeId: null, host: MACHINE };
  const finding = aFinding({ onsetStep: 421, subject: { kind: "rank", id: "9" }, place });
  expect(saySubject(finding)).toBe("Rank 9 (GPU-c55c…, b43cc963…)");
  expect(saySubject({ ...finding, place: { ...place, host: "c11-n07" } })).toBe("Rank 9 (GPU-c55c…, c11-n07)");
});
