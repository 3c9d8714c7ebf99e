import { describe, expect, it } from "vitest";
import { isAppError } from "@trainwatch/core";
import { readTimestamp } from "./timestamp.ts";
import { zoneClock } from "./zone-clock.ts";

function epochs(timeZone: string | undefined, ...texts: readonly string[]): { times: string[]; assumed: number } {
  let assumed = 0;
  const clock = zoneClock({ timeZone, onAssumed: () => (assumed += 1) });
  const times = texts.map((text) => {
    const civil = readTimestamp(text, 0);
    return civil === undefined ? "none" : new Date(clock.epochMs(civil)).toISOString();
  });
  return { times, assumed };
}

describe("times without a zone", () => {
  it("are UTC and said once to be assumed when no zone is given", () => {
    expect(epochs(undefined, "2026-11-02 10:11:12.123456", "2026-11-02 10:11:13")).toEqual({
      times: ["2026-11-02T10:11:12.123Z", "2026-11-02T10:11:13.000Z"],
      assumed: 1,
    });
  });

  it("follow the given zone through summer and winter", () => {
    expect(epochs("Europe/Berlin", "2026-07-01 12:00:00", "2026-12-01 12:00:00")).toEqual({
      times: ["2026-07-01T10:00:00.000Z", "2026-12-01T11:00:00.000Z"],
      assumed: 0,
    });
    expect(epochs("Asia/Kolkata", "2026-07-01 12:00:00").times).toEqual(["2026-07-01T06:30:00.000Z"]);
  });

  it("run on through the hour that occurs twice", () => {
    expect(
      epochs(
        "Europe/Berlin",
        "2026-10-25 01:59:00",
        "2026-10-25 02:10:00",
        "2026-10-25 02:50:00",
        "2026-10-25 02:10:00",
        "2026-10-25 03:00:00",
      ).times,
    ).toEqual([
      "2026-10-24T23:59:00.000Z",
      "2026-10-25T00:10:00.000Z",
      "2026-10-25T00:50:00.000Z",
      "2026-10-25T01:10:00.000Z",
      "2026-10-25T02:00:00.000Z",
    ]);
  });

  it("move an hour that never occurs on by the jump", () => {
    expect(epochs("America/New_York", "2026-03-08 02:30:00").times).toEqual(["2026-03-08T07:30:00.000Z"]);
  });

  it("keep an offset that the time itself names", () => {
    expect(epochs("Asia/Tokyo", "2026-01-02T03:04:05+02:00", "2026-01-02T03:04:05Z", "2026-01-02 03:04:05,250-0530")).toEqual({
      times: ["2026-01-02T01:04:05.000Z", "2026-01-02T03:04:05.000Z", "2026-01-02T08:34:05.250Z"],
      assumed: 0,
    });
  });

  it("out of range are no times", () => {
    expect(epochs(undefined, "2026-13-01 00:00:00", "2026-01-01 25:00:00", "0001-01-01 00:00:00").times).toEqual(["none", "none", "none"]);
  });

  it("in an unknown zone are refused at once", () => {
    let code: string | undefined;
    try {
      zoneClock({ timeZone: "Mars/Olympus", onAssumed: () => undefined });
    } catch (error) {
      code = isAppError(error) ? error.code : undefined;
    }
    expect(code).toBe("bad-request");
  });
});
