import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MeasurementLog } from "./contract.ts";
import { detectMeasurements, MEASUREMENT_FORMATS } from "./registry.ts";

const bytesOf = (text: string): Uint8Array => Buffer.from(text);

const NCCL = `+ srun all_reduce_perf_mpi -b 8M -e 16M -f 2
# Using devices
#  Rank  0 Group  0 Pid 1 on node device  0 [0x1b] NVIDIA B200
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
           0             0     float     sum      -1    35.20    0.00    0.00      0    34.05    0.00    0.00      0
     8388608       2097152     float     sum      -1    162.0   51.79   90.63      0    160.0   52.44   91.77      0
node:1:1 [0] NCCL INFO Launch mode Parallel
    16777216       4194304     float     sum      -1    226.0   74.23  129.90      0    225.0   74.57  130.49      3
# Out of bounds values : 3 FAILED
# Avg bus bandwidth    : 110.7
`;
const OLDER = NCCL.replace(/#wrong/g, " error").replace(/      0(?= |$)/gm, "    N/A");
const BENCH = `7:
3:
 duration: 4.1000 sec
 duration: 4.2000 sec
 algo throughput: 16176643777.3540 bps, 16.1766 Gbps
 busbw: 15.6711  Gbps
ignore me 17
 algo throughput: 16176643777.3540 bps, 16.1766 Gbps
 busbw: 15.1  Gbps
3:
 duration: 1.5000 sec
 algo throughput: 41797484455.9485 bps, 41.7975 Gbps
 busbw: 40.4913  Gbps
`;
const NVBANDWIDTH = `nvbandwidth Version: v0.6

Running host_to_device_memcpy_ce.
memcpy CE CPU(row) -> GPU(column) bandwidth (GB/s)
           0         1
 0    369.36    269.33

SUM host_to_device_memcpy_ce 638.69

Waived:
Running device_to_device_memcpy_read_ce.
memcpy CE GPU(row) -> GPU(column) bandwidth (GB/s)
           0         1
 0       N/A    276.07
 1    276.36       N/A

SUM device_to_device_memcpy_read_ce 552.43
Running host_device_latency_sm.
memory latency SM CPU(row) <-> GPU(column) (ns)
           0
 0    772.58
`;
const LOCAL = `INFO:root:Rank 0: repeat pattern starts from 0, period = 17
INFO:root:[2025-05-04 14:20:55.103770] Esimated iteration time: {'rank0': 1126199.5, 'rank1': 1128187.5}
CRITICAL:root:Failslow happens at rank=1, detail=   ids    values
`;
const GLOBAL = `INFO:root:Computation tasks are dispatched!
INFO:root:Computation result of rank 0 collected = (Perf: min=65.4, max=65.5, avg=65.47, std=0.01)!!
INFO:root:task ([3, 1], [0, 2]) dispatched!
INFO:root:Result of rank 0 collected = (Perf: min=12.8, max=20.3, avg=18.82, std=2.6)!!
INFO:root:Result of rank 2 collected = (Perf: min=16.8, max=17.2, avg=16.98, std=0.1)!!
INFO:root:Computation tasks are dispatched!
INFO:root:Computation result of rank 0 collected = (Perf: min=515.4, max=515.5, avg=515.49, std=0.04)!!
INFO:root:Reason of fail-slow is comp
`;
const WORKERS = ",worker,gpu,time,batch_time_norm\n0,0,25,1,476\n1,1,25,1,\n2,2,25,11,468\n";

function read(text: string): MeasurementLog & { readonly id: string | undefined } {
  const format = detectMeasurements(bytesOf(text));
  return { id: format?.id, ...(format?.read(text) ?? { tables: [], notes: [], issues: [] }) };
}

describe("results of benchmarks and probes", () => {
  it.each([
    ["with wrong values counted", NCCL],
    ["as older versions print it", OLDER],
  ])("nccl-tests %s: bus bandwidth by size, in place and out of place, without messages of nothing", (_, text) => {
    const { id, tables } = read(text);
    expect(id).toBe("nccl-tests");
    expect(tables).toMatchObject([{ title: "all_reduce, bus bandwidth", unit: "GB/s", better: "higher", kind: "sizes" }]);
    expect(tables[0]?.rows.map(({ of, at, value, line }) => [of, at, value, line])).toEqual([
      ["out-of-place", 8_388_608, 90.63, 7],
      ["in-place", 8_388_608, 91.77, 7],
      ["out-of-place", 16_777_216, 129.9, 9],
      ["in-place", 16_777_216, 130.49, 9],
    ]);
  });

  it("nccl-tests: wrong values are a fault of their own", () => {
    expect(read(NCCL).notes.map(({ line, isFault, text }) => [line, isFault, text.split(":")[0]])).toEqual([
      [9, true, "3 wrong values in messages of 16777216 bytes"],
      [10, true, "3 values came out wrong"],
      [11, false, "The tool's own average over all sizes is 110.7 GB/s"],
    ]);
  });

  it("the all-reduce benchmark: torn blocks go to the rank that announced itself first", () => {
    const { id, tables } = read(BENCH);
    expect(id).toBe("all-reduce-bench");
    expect(tables[0]?.rows.map(({ of, at, value }) => [of, at, value])).toEqual([
      ["rank 7", 1, 4.1],
      ["rank 3", 1, 4.2],
      ["rank 3", 2, 1.5],
    ]);
    expect(tables[1]?.rows.map(({ at, value }) => [at, value])).toEqual([
      [1, 15.6711],
      [1, 15.1],
      [2, 40.4913],
    ]);
  });

  it("nvbandwidth: a table for each matrix, what is not available left out, latency the other way round", () => {
    const { id, tables, notes } = read(NVBANDWIDTH);
    expect(id).toBe("nvbandwidth");
    expect(tables.map(({ title, unit, better, rows }) => [title, unit, better, rows.map(({ value }) => value)])).toEqual([
      ["host_to_device_memcpy_ce", "GB/s", "higher", [369.36, 269.33]],
      ["device_to_device_memcpy_read_ce", "GB/s", "higher", [276.07, 276.36]],
      ["host_device_latency_sm", "ns", "lower", [772.58]],
    ]);
    expect(notes).toMatchObject([{ text: "1 tests were waived: this machine has not what they need", isFault: false }]);
  });

  it("a fail-slow detector's logs: iteration times in seconds with their time, probes by round, its own verdict", () => {
    const local = read(LOCAL);
    expect([local.id, local.tables[0]?.rows]).toEqual([
      "fail-slow",
      [
        { of: "rank 0", at: Date.UTC(2025, 4, 4, 14, 20, 55, 103), value: 1.1261995, line: 2 },
        { of: "rank 1", at: Date.UTC(2025, 4, 4, 14, 20, 55, 103), value: 1.1281875, line: 2 },
      ],
    ]);
    expect(local.notes).toMatchObject([{ line: 3, isFault: true }]);
    const { tables, notes } = read(GLOBAL);
    expect(tables.map(({ kind, rows }) => [kind, rows.map(({ of, at, value }) => [of, at, value])])).toEqual([
      [
        "peers",
        [
          ["rank 0", 1, 65.47],
          ["rank 0", 2, 515.49],
        ],
      ],
      [
        "places",
        [
          ["ranks 0 and 3", 1, 18.82],
          ["ranks 1 and 2", 1, 16.98],
        ],
      ],
    ]);
    expect(notes).toMatchObject([{ text: "Its own verdict: the reason is computing" }]);
  });

  it("batch times by worker: an empty cell is missing, and a table with a loss is a trainer's log", () => {
    const { id, tables } = read(WORKERS);
    expect(id).toBe("worker-times");
    expect(tables[0]?.rows).toEqual([
      { of: "worker 0", at: 1, value: 476, line: 2 },
      { of: "worker 2", at: 11, value: 468, line: 4 },
    ]);
    expect(read("worker,step,batch_time,loss\n0,1,2,3\n").id).toBeUndefined();
    expect(read("worker,step,batch_time\n0,1,\n").tables).toEqual([]);
  });

  it("tells its formats apart, and no text makes a reader throw", () => {
    const texts = [NCCL, BENCH, NVBANDWIDTH, LOCAL, WORKERS];
    expect(texts.map((text) => MEASUREMENT_FORMATS.filter((format) => format.sniff(text)).map(({ id }) => id))).toEqual(
      MEASUREMENT_FORMATS.map(({ id }) => [id]),
    );
    const torn = fc.constantFrom(...texts).chain((text) => fc.tuple(fc.constant(text), fc.nat(text.length), fc.nat(text.length)));
    fc.assert(
      fc.property(torn, ([text, from, to]) => {
        for (const format of MEASUREMENT_FORMATS) {
          const { tables } = format.read(text.slice(Math.min(from, to), Math.max(from, to)));
          expect(
            tables.flatMap(({ rows }) => rows).every(({ at, value, line }) => Number.isFinite(at) && Number.isFinite(value) && line >= 1),
          ).toBe(true);
        }
      }),
    );
  });
});
