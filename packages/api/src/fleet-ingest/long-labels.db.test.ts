import { createHash } from "node:crypto";
import { createTestStore } from "@trainwatch/testkit";
import { describe, expect, it } from "vitest";
import { createSeriesBook, isFault } from "./series-book.ts";

const T = Date.UTC(2026, 10, 29);

/** Text of so many characters of three bytes each that no index can make smaller. */
function noise(characters: number): string {
  return Array.from({ length: characters }, (_, at) => {
    const [high = 0, low = 0] = createHash("sha256").update(String(at)).digest();
    return String.fromCharCode(0x4e00 + ((high * 256 + low) % 20_000));
  }).join("");
}

describe("labels that are as long as they may be", () => {
  it("are stored; longer ones are refused alone and spoil nothing for others", async () => {
    await using world = await createTestStore();
    const { fleet, records } = world.store;
    const book = createSeriesBook({
      places: (identities, atMs) => fleet.writer.places(identities, atMs),
      observe: (identities, atMs) => records.fleet.observe(identities, atMs),
    });
    const port = (length: number) => {
      const value = noise(length);
      return { name: "node_infiniband_state_id", labels: { instance: value, job: value, nodename: value, device: value, port: value } };
    };
    const gpu = { UUID: noise(341), pod: noise(341), instance: noise(341), job: noise(341), Hostname: noise(341) };
    const asked = [port(1), port(340), port(342), { name: "DCGM_FI_DEV_GPU_TEMP", labels: gpu }];
    const answers = await book.learn("agent", asked, T);
    expect(answers.map((answer) => (isFault(answer) ? answer.code : "taken"))).toEqual(["taken", "bad-labels", "bad-labels", "taken"]);
  });
});
