import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import type { FleetCoverage, FleetEventPage, FleetFrame, FleetLayout, FleetWindow, IncidentDetail, Overview } from "@trainwatch/core";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { serverProcess } from "./server-process.ts";

async function ask<T>(url: string, token: string, verb: string, input?: object): Promise<T> {
  const query = input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify(input))}`;
  const response = await fetch(`${url}/trpc/${verb}${query}`, { headers: { authorization: `Bearer ${token}` } });
  return ((await response.json()) as { readonly result: { readonly data: T } }).result.data;
}

const demoFolders = async (): Promise<readonly string[]> => (await readdir(tmpdir())).filter((name) => name.startsWith("trainwatch-demo-"));

/** Rows of the fleet whose value is a quarter above the median. */
function standOut({ values }: FleetFrame): readonly number[] {
  const sorted = values.filter((value) => value !== null).toSorted((a, b) => a - b);
  const median = sorted[sorted.length >> 1] ?? Number.NaN;
  return values.flatMap((value, row) => (value !== null && value > 1.25 * median ? [row] : []));
}

describe("trainwatch demo", () => {
  it("shows a live run with a spike, its incident and advice beside finished runs, and leaves nothing behind", async () => {
    const before = await demoFolders();
    const demo = await serverProcess(["demo", "--no-open"]);
    onTestFinished(() => demo.kill());
    const token = demo.adminToken ?? "";

    const { detail, spike } = await vi.waitFor(
      async () => {
        const { incidents } = await ask<Overview>(demo.url, token, "overview.get");
        for (const { id } of incidents.filter(({ runName, action }) => runName === "large-70b" && action !== null)) {
          const incident = await ask<IncidentDetail>(demo.url, token, "incidents.get", { incidentId: id });
          // A remapped row of memory comes a minute before it: as they come in, the spike opens an incident or joins that of the GPU.
          const found = incident.findings.find(({ detector, severity }) => detector === "loss-shift" && severity !== "info");
          if (found !== undefined) return { detail: incident, spike: found };
        }
        throw new Error("the live run has no incident of its loss with advice yet");
      },
      { timeout: 150_000, interval: 500 },
    );
    expect(detail).toMatchObject({ attempt: "a2", ongoing: true, gpuHoursPerHour: 128, costUnknown: null });
    // Where the simulator has put it: the gradient norm rises four steps before the loss.
    expect(Math.abs((spike.onsetStep ?? 0) - 12_032)).toBeLessThanOrEqual(1);
    const norm = detail.findings.find(({ detector }) => detector === "grad-norm-shift");
    expect(Math.abs((norm?.onsetStep ?? 0) - 12_028)).toBeLessThanOrEqual(1);
    expect(detail.signal.values.some((value) => value !== null)).toBe(true);
    expect(detail.checkpoints.length).toBeGreaterThan(0);
    expect(detail.timeline.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["onset", "detected", "advice"]));

    const { runs } = await ask<Overview>(demo.url, token, "overview.get");
    expect(runs.find(({ name }) => name === "large-70b")).toMatchObject({ state: "running", watched: true });
    const finished = await vi.waitFor(
      async () => {
        const page = await ask<{ readonly items: readonly { readonly name: string }[] }>(demo.url, token, "runs.list", {
          states: ["finished"],
        });
        if (page.items.length < 6) throw new Error("the history is not all there yet");
        return page.items;
      },
      { timeout: 150_000, interval: 500 },
    );
    expect(finished.map(({ name }) => name).sort()).toEqual([
      "chat-8b-rl",
      "medium-8b",
      "medium-8b-lr2",
      "moe-3b",
      "small-1b-a",
      "small-1b-b",
    ]);

    expect(await demo.stop()).toBe(0);
    expect(await demoFolders()).toEqual(before);
  }, 400_000);

  it("shows the live run's 16 nodes, scraped live and an hour back, with the ranks on their GPUs and what is wrong with them", async () => {
    const demo = await serverProcess(["demo", "--no-open"]);
    onTestFinished(() => demo.kill());
    const read = <T>(verb: string, input?: object): Promise<T> => ask<T>(demo.url, demo.adminToken ?? "", verb, input);

    const layout = await vi.waitFor(
      async () => {
        const { nodes, ...rest } = await read<FleetLayout>("fleet.layout", {});
        expect(nodes).toHaveLength(16);
        // Every node has been scraped since the history was sent.
        for (const { lastSampleAtMs } of nodes) expect(Date.now() - (lastSampleAtMs ?? 0)).toBeLessThan(25_000);
        return { nodes, ...rest };
      },
      { timeout: 120_000, interval: 1_000 },
    );
    expect(layout.gpu.rank).toEqual(Array.from({ length: 128 }, (_, rank) => rank));
    expect(layout.gpu.stage).toEqual(Array.from({ length: 128 }, (_, rank) => Math.floor(rank / 32)));
    expect(layout.runs.map(({ name }) => name)).toEqual(["demo/large-70b"]);
    expect(new Set(layout.gpu.run)).toEqual(new Set([0]));
    expect(layout.nodes.map(({ rack }) => rack)).toEqual(Array.from({ length: 16 }, (_, node) => `A0${1 + (node >> 2)}`));

    const hot = await read<FleetFrame>("fleet.frame", { metric: "DCGM_FI_DEV_GPU_TEMP_CELSIUS" });
    expect(standOut(hot)).toEqual([10 * 8 + 5]);
    const crc = await read<FleetFrame>("fleet.frame", { metric: "DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_PER_LINK_TOTAL" });
    expect(crc.values.flatMap((value, row) => (value !== null && value > 1 ? [row] : []))).toEqual([5 * 8 + 2]);
    expect(crc.values[5 * 8 + 2]).toBeGreaterThan(140);
    // The node with the default fields says nothing of its links, which is not 0.
    expect(crc.values.slice(56, 64)).toEqual(Array.from({ length: 8 }, () => null));

    const coverage = await read<FleetCoverage>("fleet.coverage", {});
    const blind = coverage.signals.find(({ name }) => name === "nvlink-errors");
    expect(blind?.states.map((state, node) => (state === 0 ? null : node)).filter((node) => node !== null)).toEqual([7]);
    // A remapped row; and the GPU that was lost half an hour ago, which took its job with it.
    for (const [node, code] of [
      [13, 63],
      [2, 79],
    ] as const) {
      const { id: nodeId, host } = layout.nodes[node] ?? { id: "", host: "" };
      const events = await read<FleetEventPage>("fleet.events", { nodeId });
      expect(events.items).toContainEqual(expect.objectContaining({ kind: "xid", code, host }));
    }

    const nowMs = Date.now();
    const entityIds = [layout.gpu.id[85]];
    const window = await read<FleetWindow>("fleet.window", {
      metric: "DCGM_FI_DEV_GPU_TEMP_CELSIUS",
      entityIds,
      fromMs: nowMs - 3_600_000,
      toMs: nowMs,
      buckets: 60,
    });
    expect(window.series[0]?.mean.filter((mean) => mean === null).length).toBeLessThan(3);
    expect(await demo.stop()).toBe(0);
  }, 400_000);
});
