import { describe, expect, it } from "vitest";
import { readFleetSearch } from "./search.ts";

describe("the URL of the fleet page", () => {
  it("keeps what it can mean", () => {
    const search = {
      metric: "DCGM_FI_DEV_GPU_TEMP",
      group: "rack",
      scale: "peers",
      run: 3,
      at: 5_000,
      from: 1_000,
      to: 9_000,
      gpu: "GPU-1",
      table: true,
    };
    expect(readFleetSearch(search)).toEqual(search);
  });

  it("leaves no trace of what is usual, cut or out of order", () => {
    expect(readFleetSearch({ scale: "absolute", group: "colour", at: -1, from: 9_000, to: 1_000, run: 0, gpu: "" })).toEqual({});
    expect(readFleetSearch({ from: 1_000 })).toEqual({});
  });
});
