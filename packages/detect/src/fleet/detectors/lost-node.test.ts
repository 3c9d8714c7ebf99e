import { describe, expect, it } from "vitest";
import { T0, delayS, nodeName, play, tickOf, topologyOf } from "../testing/fleet.fixture.ts";
import { fleetWatchOf } from "../fleet-watch.ts";
import { lostNode } from "./lost-node.ts";

const topology = topologyOf({ nodes: 32 });

/** Age of the newest reading of a node that is scraped each `everyS`, at a phase of its own, until it dies before the tick `until`. */
function scraped(everyS: number, phaseS: number, tick: number, until = Number.POSITIVE_INFINITY): number {
  const nowS = tick * 10;
  const last = Math.floor((Math.min(nowS, until * 10) - phaseS) / everyS) * everyS + phaseS;
  return (nowS - last) * 1000;
}

describe("lost node", () => {
  it.each([0, 1, 3, 5, 7, 9])("is told within half a minute of the last sign of life at a 10 s scrape (phase %i s)", (phase) => {
    const { findings } = play(
      [lostNode],
      { topology, silentMs: (node, tick) => scraped(10, phase, tick, node === 5 ? 30 : undefined) },
      60,
    );
    expect(findings.map(({ subject, severity, state }) => [subject.id, severity, state])).toEqual([[nodeName(5), "critical", "stalled"]]);
    // The node died at tick 30; its last reading lies up to a scrape before.
    expect(delayS(findings[0], 30)).toBeLessThanOrEqual(30);
    expect(findings[0]?.facts).toEqual([{ fact: "node-lost", value: null }]);
  });

  it.each([15, 30, 60])("learns that a node is scraped each %i s", (every) => {
    const scene = { topology, silentMs: (node: number, tick: number) => scraped(every, node % every, tick, node === 5 ? 100 : undefined) };
    const { findings } = play([lostNode], scene, 150);
    expect(findings.map(({ subject }) => subject.id)).toEqual([nodeName(5)]);
    expect(delayS(findings[0], 100)).toBeLessThanOrEqual(3.2 * every + 10);
  });

  it("a node that misses scrapes now and then is given more time, and none that comes back is told", () => {
    const scene = { topology, silentMs: (node: number, tick: number) => (node === 3 && tick % 20 < 2 ? ((tick % 20) + 1) * 10_000 : 0) };
    expect(play([lostNode], scene, 200).findings).toEqual([]);
  });

  it.each([
    { when: "before it is missed", movedAt: 31, states: [] },
    { when: "after it was told", movedAt: 40, states: ["recovered"] },
  ])("a host that is renamed is not lost: its GPUs report from the new one ($when)", ({ movedAt, states }) => {
    const gpus = topology.gpus.map((gpu) => (gpu.nodeId === nodeName(5) ? { ...gpu, nodeId: "renamed", host: "renamed" } : gpu));
    const renamed = { nodes: [...topology.nodes, { id: "renamed", host: "renamed", cordoned: false }], gpus };
    const silentMs = (node: number, tick: number): number | null =>
      node === 5 ? scraped(10, 0, tick, 30) : node < 32 || tick >= movedAt ? 0 : null;
    const watch = fleetWatchOf([lostNode], {});
    const stands = new Map<string, unknown>();
    for (let tick = 0; tick < 120; tick++)
      for (const { id, subject, state } of watch.tick(tickOf({ topology: tick < movedAt ? topology : renamed, silentMs }, tick)))
        stands.set(id, [subject.id, state]);
    expect([...stands.values()]).toEqual(states.map((state) => [nodeName(5), state]));
    // A restart is no reason to miss it; that it reports again and falls silent is.
    const again = fleetWatchOf([lostNode], {}, JSON.parse(JSON.stringify(watch.state())));
    const told = new Set<string>();
    for (let tick = 120; tick < 220; tick++) {
      const back = (node: number): number => (node === 5 ? scraped(10, 0, tick, tick < 160 ? 30 : Math.min(tick, 180)) : 0);
      for (const { subject, state } of again.tick(tickOf({ topology: renamed, silentMs: back }, tick)))
        told.add(`${subject.id} ${state} ${tick < 180}`);
    }
    expect([...told]).toEqual([`${nodeName(5)} stalled false`]);
  });

  it("G3: many that vanish at once are one source that is down, and no node is accused", () => {
    const scene = { topology, silentMs: (node: number, tick: number) => scraped(10, node % 10, tick, node < 16 ? 30 : undefined) };
    const { findings } = play([lostNode], scene, 90);
    expect(findings.map(({ subject, severity, summary }) => [subject.kind, severity, summary])).toEqual([
      ["logger", "critical", "16 nodes of 32 fell silent at once: a source of readings is down, not the nodes."],
    ]);
    expect(delayS(findings[0], 30)).toBeLessThanOrEqual(40);
  });

  it("G3: the whole fleet silent is a source that is down as well; when it is back it is over", () => {
    const scene = { topology, silentMs: (_: number, tick: number) => (tick >= 30 && tick < 60 ? (tick - 29) * 10_000 : 0) };
    const { findings } = play([lostNode], scene, 80);
    expect(findings.map(({ subject, state }) => [subject.kind, state])).toEqual([["logger", "recovered"]]);
  });

  it("G3: what does not come back with the source is a lost node then", () => {
    const scene = {
      topology,
      silentMs: (node: number, tick: number) => (tick >= 30 && (tick < 60 || node === 7) ? (tick - 29) * 10_000 : 0),
    };
    expect(play([lostNode], scene, 80).findings.map(({ subject }) => subject.id)).toEqual(["fleet source", nodeName(7)]);
  });

  it("three nodes of a rack of a larger fleet are lost nodes", () => {
    const scene = { topology, silentMs: (node: number, tick: number) => scraped(10, node % 10, tick, node < 3 ? 30 : undefined) };
    expect(
      play([lostNode], scene, 60)
        .findings.map(({ subject }) => subject.id)
        .sort(),
    ).toEqual([nodeName(0), nodeName(1), nodeName(2)]);
  });

  it("says nothing of a cordoned node, of one that never reported, and of one that was gone before", () => {
    const cordoned = topologyOf({ nodes: 32, cordoned: (node) => node === 1 });
    const silentMs = (node: number, tick: number): number | null => {
      if (node === 2) return null;
      if (node === 3) return 7_200_000 + tick * 10_000;
      return node === 1 && tick > 20 ? (tick - 20) * 10_000 : 0;
    };
    expect(play([lostNode], { topology: cordoned, silentMs }, 100).findings).toEqual([]);
  });

  it("a node that is back is over; G1: one that comes and goes each 40 s for an hour is one finding with a count", () => {
    const once = { topology, silentMs: (node: number, tick: number) => (node === 4 && tick >= 30 && tick < 60 ? (tick - 29) * 10_000 : 0) };
    expect(play([lostNode], once, 120).findings.map(({ state, endTimeMs }) => [state, endTimeMs])).toEqual([["recovered", T0 + 590_000]]);
    const flapping = {
      topology,
      silentMs: (node: number, tick: number) => (node === 4 && tick > 20 && tick % 8 < 4 ? ((tick % 8) + 1) * 10_000 : 0),
    };
    const { findings, all } = play([lostNode], flapping, 380);
    expect(findings).toHaveLength(1);
    expect(findings[0]?.summary).toMatch(/, (3\d|4\d) times\.$/);
    expect(all.length).toBeLessThan(25);
  });

  it("a node whose clock is minutes behind is no lost node, and is told as soon as others when it dies", () => {
    const behind = (node: number, tick: number) => (node === 6 ? 95_000 : 0) + scraped(10, 3, tick, node === 6 ? 60 : undefined);
    for (const cuts of [[], [20, 21, 40]]) {
      const { findings } = play([lostNode], { topology, silentMs: behind }, 100, { cuts });
      expect(findings.map(({ subject }) => subject.id)).toEqual([nodeName(6)]);
      expect(delayS(findings[0], 60)).toBeGreaterThan(0);
      expect(delayS(findings[0], 60)).toBeLessThanOrEqual(40);
    }
  });

  it("a clock that is set back under way is learnt, and the node is back", () => {
    const set = (node: number, tick: number) => (node === 6 && tick >= 30 ? Math.min(120_000, (tick - 29) * 10_000) : 0);
    expect(play([lostNode], { topology, silentMs: set }, 200).findings.map(({ subject, state }) => [subject.id, state])).toEqual([
      [nodeName(6), "recovered"],
    ]);
  });

  it("keeps nothing of nodes that the fleet has no more", () => {
    const missing = (node: number, tick: number) => (node > 3 && tick % 5 < 2 ? ((tick % 5) + 1) * 10_000 : 0);
    const { watch } = play([lostNode], { topology, silentMs: missing }, 60);
    expect(JSON.stringify(watch.state())).toContain(`"${nodeName(9)}"`);
    watch.tick(tickOf({ topology: topologyOf({ nodes: 4 }) }, 60));
    expect(JSON.stringify(watch.state())).not.toContain(`"${nodeName(9)}"`);
  });

  it("goes on over a restart, with a node that was lost during it", () => {
    const scene = { topology, silentMs: (node: number, tick: number) => (node === 9 && tick >= 40 ? (tick - 39) * 10_000 : 0) };
    for (const cuts of [[39], [40], [41], [42], [45, 50]])
      expect(play([lostNode], scene, 80, { cuts }).findings).toEqual(play([lostNode], scene, 80).findings);
  });

  it("judges no node before it knows how often it reports", () => {
    const { watch } = play([lostNode], { topology }, 1);
    expect(watch.coverage()).toEqual([{ detector: "lost-node", sees: false, why: "the interval of no node's scrapes is known yet" }]);
  });
});
