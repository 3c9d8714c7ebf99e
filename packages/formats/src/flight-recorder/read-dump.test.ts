import { describe, expect, it } from "vitest";
import { looksLikeDump, readDumpBytes } from "./dump-bytes.ts";
import { PYTHON_PICKLES } from "./pickle/python-pickles.fixture.ts";
import { rankOfDumpName, readFlightRecorderDump } from "./read-dump.ts";

const DUMP = {
  version: "2.9",
  pg_config: {
    "36": { name: "36", desc: "TENSOR_MODEL_PARALLEL_GROUP", ranks: "[2, 3]" },
    "0": { name: "0", desc: "default_pg", ranks: [0, 1, 2, 3] },
  },
  pg_status: { "5": { last_enqueued_collective: 39416, last_started_collective: -1, last_completed_collective: 39406 } },
  entries: [
    {
      record_id: 1,
      pg_id: 5,
      process_group: ["36", "TENSOR_MODEL_PARALLEL_GROUP"],
      collective_seq_id: 39416,
      p2p_seq_id: 0,
      profiling_name: "nccl:_all_gather_base",
      time_created_ns: 1_758_610_505_947e6,
      input_sizes: [[4096, 1, 5120]],
      output_sizes: [[8192, 1, 5120]],
      state: "scheduled",
      timeout_ms: 180000,
      is_p2p: false,
    },
    { process_group: null, collective_seq_id: 7 },
  ],
};

describe("a flight recorder dump in JSON", () => {
  it("gives groups with their status, and entries with state and sizes", () => {
    expect(readFlightRecorderDump(DUMP, 3)).toEqual({
      dump: {
        rank: 3,
        version: "2.9",
        // JSON objects list numeric names in ascending order.
        groups: [
          { name: "0", description: "default_pg", ranks: [0, 1, 2, 3], lastEnqueued: null, lastCompleted: null },
          { name: "36", description: "TENSOR_MODEL_PARALLEL_GROUP", ranks: [2, 3], lastEnqueued: 39416, lastCompleted: 39406 },
        ],
        entries: [
          {
            group: "36",
            seq: 39416,
            name: "nccl:_all_gather_base",
            state: "scheduled",
            isP2p: false,
            inputSizes: "[[4096,1,5120]]",
            outputSizes: "[[8192,1,5120]]",
            createdMs: 1_758_610_505_947,
            timeoutMs: 180000,
          },
        ],
      },
    });
  });

  it.each([[null], [[]], [{}], [{ entries: {} }], [{ entries: [{ state: "started" }] }]])("says why %j is none", (json) => {
    expect(readFlightRecorderDump(json, 0)).toHaveProperty("fault");
  });

  it("of a rank that had nothing to record is a dump all the same", () => {
    expect(readFlightRecorderDump({ version: "2.9", entries: [] }, 0)).toHaveProperty("dump.entries", []);
  });

  it("cuts sizes that are longer than any collective's, also where one list stands in another again and again", () => {
    const numbers = Array.from({ length: 2_000 }, () => 1);
    const lists = Array.from({ length: 2_000 }, () => numbers);
    const sizes = Array.from({ length: 2_000 }, () => lists);
    const outcome = readFlightRecorderDump({ entries: [{ process_group: ["0", ""], collective_seq_id: 1, input_sizes: sizes }] }, 0);
    const { inputSizes = "" } = ("dump" in outcome ? outcome.dump.entries[0] : undefined) ?? {};
    expect(inputSizes).toMatch(/^\[\[\[1,1,/);
    expect(inputSizes.length).toBeLessThan(10_000);
  });

  it.each([
    ["nccl_trace_rank_3", 3],
    ["comm_lib_trace_rank_12", 12],
    ["_dump_0", 0],
    ["nccl_trace_rank_7.json", 7],
    ["trace.json", null],
  ])("%s is of rank %s", (name, rank) => expect(rankOfDumpName(name)).toBe(rank));
});

describe("a dump as it lies on disk", () => {
  it.each(PYTHON_PICKLES)("is told by its head and read as JSON is, pickled with protocol %i", (_, base64) => {
    const bytes = Buffer.from(base64, "base64");
    expect(looksLikeDump(bytes)).toBe(true);
    expect(readDumpBytes(bytes, 1)).toMatchObject({
      dump: {
        rank: 1,
        groups: [{ name: "0", description: "default_pg", ranks: [0, 1], lastEnqueued: 7, lastCompleted: 6 }],
        entries: [{ group: "0", seq: 7, name: "nccl:all_reduce", inputSizes: "[[4096,5120]]", timeoutMs: 600_000, isP2p: false }],
      },
    });
  });

  it("is told by its head in JSON, with white space before it or not", () => {
    for (const space of ["", "\n  "]) {
      const bytes = Buffer.from(space + JSON.stringify(DUMP));
      expect(looksLikeDump(bytes)).toBe(true);
      expect(readDumpBytes(bytes, 3)).toEqual(readFlightRecorderDump(DUMP, 3));
    }
  });

  it.each([
    ["a trainer's log", '{"step": 1, "loss": 2.5}\n'],
    ["a list", "[1, 2]"],
    ["a pickle of something else", "\u0080\u0002}q\u0000X\u0004\u0000\u0000\u0000lossK\u0001s."],
    ["nothing", ""],
  ])("%s is none", (_, text) => expect(looksLikeDump(Buffer.from(text, "latin1"))).toBe(false));

  it("cut short is refused with the reason", () => {
    expect(readDumpBytes(Buffer.from(JSON.stringify(DUMP).slice(0, 90)), 0)).toEqual({ fault: "it is no JSON, or it is cut" });
  });
});
