import { describe, expect, it } from "vitest";
import { createDetectBench, trainingPushes } from "../detect/detect-bench.fixture.ts";
import { readOnce } from "./read-once.ts";

describe("readOnce", () => {
  it("answers from memory what the records would say, also after it has written", async () => {
    await using bench = await createDetectBench();
    for (const push of trainingPushes({ from: 1, to: 400, seq: 1, faults: [{ kind: "nan", step: 300, steps: 3 }] })) await bench.push(push);
    await bench.drain();
    const [item] = (await bench.verbs.incidents.list({})).items;
    const id = item?.id ?? 0;
    await bench.store.records.transaction(async (tx) => {
      const once = readOnce(tx);
      const said = async () => [await once.incidents.find(id), await once.incidents.get(id)];
      const stored = async () => [await tx.incidents.find(id), await tx.incidents.get(id)];
      const before = await tx.incidents.get(id);
      expect(await said()).toEqual(await stored());
      if (before === null || before.assessment === null || before.advice === null)
        throw new Error("the incident has no causes or no advice");

      await once.incidents.setAssessment(id, { ...before.assessment, nextTest: null });
      expect(await said()).toEqual(await stored());
      await once.advice.revise(before.advice.id, { ...before.advice.advice, lostSteps: 17 });
      expect(await said()).toEqual(await stored());
      await once.advice.create(id, { ...before.advice.advice, lostSteps: 18 }, 5);
      expect(await said()).toEqual(await stored());
      const incident = await tx.incidents.find(id);
      if (incident === null) throw new Error("the incident is gone");
      await once.incidents.update(id, { ...incident, owner: "somebody" }, [incident.state], 6);
      expect(await said()).toEqual(await stored());
      expect((await once.incidents.get(id))?.owner).toBe("somebody");
    });
  });

  it("asks the records once", async () => {
    await using bench = await createDetectBench();
    let asked = 0;
    const { records } = bench.store;
    const find = (id: number) => {
      asked++;
      return records.incidents.find(id);
    };
    const once = readOnce({ ...records, incidents: { ...records.incidents, find } });
    expect([await once.incidents.find(1), await once.incidents.find(1), asked]).toEqual([null, null, 1]);
  });
});
