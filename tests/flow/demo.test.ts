import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import type { IncidentDetail, Overview } from "@trainwatch/core";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { serverProcess } from "./server-process.ts";

async function ask<T>(url: string, token: string, verb: string, input?: object): Promise<T> {
  const query = input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify(input))}`;
  const response = await fetch(`${url}/trpc/${verb}${query}`, { headers: { authorization: `Bearer ${token}` } });
  return ((await response.json()) as { readonly result: { readonly data: T } }).result.data;
}

const demoFolders = async (): Promise<readonly string[]> => (await readdir(tmpdir())).filter((name) => name.startsWith("trainwatch-demo-"));

describe("trainwatch demo", () => {
  it("shows a live run with a spike, its incident and advice beside finished runs, and leaves nothing behind", async () => {
    const before = await demoFolders();
    const demo = await serverProcess(["demo", "--no-open"]);
    onTestFinished(() => demo.kill());
    const token = demo.adminToken ?? "";

    const live = await vi.waitFor(
      async () => {
        const { incidents } = await ask<Overview>(demo.url, token, "overview.get");
        const found = incidents.find(({ runName, action }) => runName === "large-70b" && action !== null);
        if (found === undefined) throw new Error("the live run has no incident with advice yet");
        return found;
      },
      { timeout: 90_000, interval: 500 },
    );
    expect(live).toMatchObject({ attempt: "a1", ongoing: true, gpuHoursPerHour: 2_048, costUnknown: null });
    // Where the simulator has put it: the gradient norm rises four steps before the loss at 6,032.
    expect(Math.abs((live.onsetStep ?? 0) - 6_028)).toBeLessThanOrEqual(4);
    expect(live.signal.values.some((value) => value !== null)).toBe(true);

    const detail = await ask<IncidentDetail>(demo.url, token, "incidents.get", { incidentId: live.id });
    expect(detail.findings.length).toBeGreaterThan(0);
    expect(detail.checkpoints.length).toBeGreaterThan(0);
    expect(detail.timeline.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["onset", "detected", "advice"]));

    const { runs } = await ask<Overview>(demo.url, token, "overview.get");
    expect(runs.find(({ name }) => name === "large-70b")).toMatchObject({ state: "running", watched: true });
    const finished = await vi.waitFor(
      async () => {
        const page = await ask<{ readonly items: readonly { readonly name: string }[] }>(demo.url, token, "runs.list", {
          states: ["finished"],
        });
        if (page.items.length < 4) throw new Error("the history is not all there yet");
        return page.items;
      },
      { timeout: 90_000, interval: 500 },
    );
    expect(finished.map(({ name }) => name).sort()).toEqual(["medium-8b", "medium-8b-lr2", "small-1b-a", "small-1b-b"]);

    expect(await demo.stop()).toBe(0);
    expect(await demoFolders()).toEqual(before);
  }, 240_000);
});
