import { describe, expect, it } from "vitest";
import { cluster } from "./cluster.fixture.ts";
import type { ClusterFault } from "./cluster-fault.ts";
import { readClusterFaults } from "./read-faults.ts";

const LINES = `# two faults
{"kind": "straggler", "step": 2000, "node": 3, "gpu": 5, "factor": 1.4}

{"kind": "xid", "seconds": 60, "rank": 7, "code": 63}
`;

describe("readClusterFaults", () => {
  it("takes JSON lines with comments, and a JSON array", () => {
    const faults = readClusterFaults(LINES);
    expect(faults).toEqual([
      { kind: "straggler", step: 2_000, node: 3, gpu: 5, factor: 1.4 },
      { kind: "xid", seconds: 60, rank: 7, code: 63 },
    ]);
    expect(readClusterFaults(JSON.stringify(faults, null, 2))).toEqual(faults);
    expect(readClusterFaults("")).toEqual([]);
  });

  it.each([
    ['{"kind": "hung", "step": 3}', /line 1: there is no fault "hung"; known are silent-error/],
    ['{"step": 3}', /line 1: there is no fault without a kind/],
    [
      '# a comment\n{"kind": "hang", "step": 3, "rank": 1, "size": 2}',
      /line 2 \(hang\): it has no size; allowed are step, seconds, .*killedAfterS, downtimeS/,
    ],
    ['[{"kind": "nan", "step": "three", "rank": 1}]', /entry 1 \(nan\): step must be a number, not "three"/],
    ["[3]", /entry 1: it must be an object/],
    ['{"kind": "nan"', /line 1 is not JSON/],
    ["[{]", /the file is not JSON/],
  ])("says what is wrong with %s", (text, message) => {
    expect(() => readClusterFaults(text)).toThrow(message);
  });

  it.each<[ClusterFault, RegExp]>([
    [{ kind: "hang", step: 3, rank: 64 }, /Fault 1 \(hang\): rank must be a whole number from 0 to 63, not 64/],
    [{ kind: "hang", rank: 6 }, /either step or seconds/],
    [{ kind: "hang", rank: 6, step: 5, seconds: 3 }, /either step or seconds/],
    [{ kind: "hang", step: 3 }, /it needs a rank, or a node and a gpu/],
    [{ kind: "hang", step: 3, rank: 1, node: 1 }, /it needs a rank, or a node and a gpu/],
    [{ kind: "hang", step: 121, rank: 1 }, /step must be a whole number from 1 to 120/],
    [{ kind: "straggler", step: 3, gpu: 1 }, /it takes a rank, or a node and a gpu, or a node, or none/],
    [{ kind: "straggler", step: 3, rank: 1, factor: 0.5 }, /factor must be a number from 1 to 20, not 0.5/],
    [{ kind: "straggler", step: 3, rank: 1, forSteps: 2, forSeconds: 3 }, /either forSteps or forSeconds/],
    [{ kind: "link-slow", step: 3, rank: 1 }, /it needs a link/],
    [{ kind: "last-stage", step: 3, rank: 1 }, /it strikes the whole run/],
    [{ kind: "bad-batch", seconds: 3 }, /the step that reads the batch first/],
  ])("refuses %j for a cluster that it does not fit", (fault, message) => {
    expect(() => cluster([fault])).toThrow(message);
  });

  it("refuses layouts that do not part the ranks", () => {
    expect(() => cluster([], { layout: { tp: 8, pp: 3 } })).toThrow(
      /64 ranks cannot be parted into 3 pipeline stages of tensor groups of 8/,
    );
    expect(() => cluster([], { layout: { tp: 8, pp: 2, ep: 3 } })).toThrow(/4 replicas cannot be parted into 3 expert groups/);
  });
});
