import { describe, expect, it } from "vitest";
import { collectHealth } from "../collect-health.fixture.ts";
import { NCCL } from "../samples.fixture.ts";
import { ncclLogParser } from "./nccl-log.ts";

const WATCHDOG =
  "Watchdog caught collective operation timeout: WorkNCCL(SeqNum=7, OpType=ALLREDUCE, Timeout(ms)=1800000) ran for 1802212 milliseconds before timing out.";

describe("NCCL in trainers' logs", () => {
  it("tells warnings with host and device, and a time-out of a rank once however often PyTorch repeats it", () => {
    const { events } = collectHealth(ncclLogParser, NCCL, { referenceTimeMs: Date.UTC(2026, 3, 1), timeZone: "UTC" });
    expect(events).toMatchObject([
      {
        kind: "nccl",
        severity: "info",
        subCode: "socket.cc:1458",
        text: "c11-n07, device 2: Connection closed by remote peer",
        timeMs: null,
        rank: null,
      },
      { subCode: "ibvwrap.c:94", text: "c11-n07, device 5: Call to ibv_open_device failed", timeMs: Date.UTC(2026, 2, 18, 14, 38, 12) },
      { severity: "critical", subCode: "ALLREDUCE #1580", rank: 3, op: "ALLREDUCE", timeMs: Date.UTC(2026, 2, 21, 2, 7, 8, 408), line: 4 },
    ]);
    expect(events).toHaveLength(3);
    expect(events[2]?.text).toMatch(
      /^rank 3: Watchdog caught collective operation timeout: WorkNCCL\(SeqNum=1580, .* ran for 600060 milliseconds/,
    );
  });

  it("tells each rank's time-out, also where a progress bar or another rank is glued to it", () => {
    const text = `Epoch 0:  6%|## | 32040/500150 [E ProcessGroupNCCL.cpp:458] [Rank 0] ${WATCHDOG}[E ProcessGroupNCCL.cpp:458] [Rank 7] ${WATCHDOG}\n`;
    expect(collectHealth(ncclLogParser, text).events.map(({ rank, op }) => [rank, op])).toEqual([
      [0, "ALLREDUCE"],
      [7, "ALLREDUCE"],
    ]);
  });

  it("parts warnings that were glued into one line", () => {
    const text = "a:1:2 [0] x.cc:1 NCCL WARN first b:3:4 [1] y.cc:2 NCCL WARN second\n";
    expect(collectHealth(ncclLogParser, text).events.map((event) => event.text)).toEqual(["a, device 0: first", "b, device 1: second"]);
  });

  it("takes the collector's time where the line has none, and the rank in front of it", () => {
    const text =
      "2031-02-03T04:05:06.5Z stderr F [rank5]: torch.distributed.DistBackendError: NCCL error in: ../ProcessGroupNCCL.cpp:1970, unhandled cuda error (run with NCCL_DEBUG=INFO), NCCL version 2.21.5\n";
    expect(collectHealth(ncclLogParser, text).events).toMatchObject([
      { severity: "warning", subCode: "unhandled cuda error", rank: 5, timeMs: Date.UTC(2031, 1, 3, 4, 5, 6, 500) },
    ]);
  });

  it("says nothing of NCCL INFO and of other lines", () => {
    expect(collectHealth(ncclLogParser, "a:1:2 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P\nloss 2.5\n")).toEqual({
      events: [],
      readings: [],
      issues: [],
    });
  });
});
