import { describe, expect, it } from "vitest";
import { nvLink5Detail } from "./nvlink5.ts";
import { sxidVerdict } from "./sxid.ts";
import { xidVerdict } from "./xid-verdict.ts";

const line = (unit: string, weight: string, intr: string, status = "0x00000000") =>
  `${unit} ${weight} XC0 i0 Link 03 (${intr} ${status} 0x0 0x0 0x0 0x0)`;

describe("sub-codes of XIDs", () => {
  it.each([
    ["NETIR_LINK_EVT/NETIR_LINK_DOWN", "Fatal", "0x00000011", 0, "reset"],
    ["NETIR_LINK_EVT/NETIR_LINK_DOWN", "Fatal", "0x01500011", 21, "peer"],
    ["NETIR_LINK_EVT/NETIR_LINK_DOWN", "Fatal", "0x02000011", 32, "peer"],
    ["NETIR_LINK_EVT", "Fatal", "0x02500486", 37, "peer"],
    ["NETIR_LINK_EVT/NETIR_LINK_DOWN", "Fatal", "0x02600011", 38, "software"],
    ["NETIR_LINK_EVT/NETIR_LINK_DOWN", "Fatal", "0x02800011", 40, "software"],
    ["NETIR_LINK_EVT/NETIR_LINK_DOWN", "Fatal", "0x02a00011", 42, "reset"],
    ["NETIR_BER_EVENT", "Nonfatal", "0x00000013", 0, "cable"],
    ["NETIR_MFDE_EVENT", "Fatal", "0x00000014", 0, "reset"],
    ["NETIR_MFDE_EVENT", "Non-fatal", "0x00000014", 0, "watch"],
  ] as const)("149, %s %s %s has sub-code %i: %s", (unit, weight, intr, subCode, verdict) => {
    expect(nvLink5Detail(149, line(unit, weight, intr))).toMatchObject({ subCode, verdict, link: 3 });
  });

  it("knows nothing of other codes and other lines", () => {
    expect(nvLink5Detail(143, line("SAW", "Fatal", "0x0"))).toBeNull();
    expect(nvLink5Detail(145, "pid=1, name=python")).toBeNull();
    expect(xidVerdict(145, "pid=1").severity).toBe("critical");
  });

  it("takes the weight from the line and not from the code alone", () => {
    expect(xidVerdict(145, line("RLW_RSP", "Nonfatal", "0x4", "0x80000000"))).toMatchObject({
      severity: "warning",
      class: "link",
      detail: "RLW_RSP link 3 0x00000004 0x80000000",
    });
    expect(xidVerdict(146, line("TLW_RX/TLW_RX_PIPE0", "Fatal", "0xa", "0x00000004")).severity).toBe("critical");
    expect(xidVerdict(999, "").action).toContain("not in the table");
  });
});

describe("SXids", () => {
  it("are as bad as the driver says; without its word the few that reset the fabric are fatal", () => {
    expect(sxidVerdict(20034, "SXid: 20034, Fatal, Link 30 LTSSM Fault Up").severity).toBe("critical");
    expect(sxidVerdict(20034, "SXid: 20034, Non-fatal, Link 30").severity).toBe("warning");
    expect([sxidVerdict(14017, "").severity, sxidVerdict(22013, "").severity]).toEqual(["critical", "warning"]);
  });
});
