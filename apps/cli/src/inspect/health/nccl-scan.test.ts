import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NcclScan } from "./nccl-scan.ts";

const LINES = [
  "iteration 1 | loss 2.5",
  "c11-n07:1:2 [0] socket.cc:1 NCCL WARN Connection closed",
  "café step 2",
  "",
  "[rank3]:[E321 02:07:08.408271257 ProcessGroupNCCL.cpp:607] [Rank 3] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=7, OpType=ALLREDUCE, Timeout(ms)=600000) ran for 600060 milliseconds",
  "c11-n07:1:2 [1] socket.cc:1 NCCL WARN the last line has no break",
];

describe("NcclScan", () => {
  it("finds the same lines and numbers wherever chunks end", () => {
    const bytes = Buffer.from(LINES.join("\n"));
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 6 }), (sizes) => {
        const scan = new NcclScan("train.log", {});
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = sizes[turn % sizes.length] ?? 1;
          scan.push(bytes.subarray(at, at + size));
          at += size;
        }
        const rows = scan.end()?.events.rows() ?? [];
        expect(rows.map(({ severity, subCode, count, line }) => [severity, subCode, count, line])).toEqual([
          ["critical", "ALLREDUCE #7", 1, 5],
          ["info", "socket.cc:1", 2, 2],
        ]);
      }),
    );
  });

  it("has nothing to say of a log in which NCCL says nothing", () => {
    const scan = new NcclScan("train.log", {});
    scan.push(Buffer.from("loss 2.5\nNCCL version 2.21.5\n"));
    expect(scan.end()).toBeNull();
  });
});
