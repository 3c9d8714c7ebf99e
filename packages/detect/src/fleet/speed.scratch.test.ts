import { it } from "vitest";
import { FLEET_DETECTORS } from "./registry.ts";
import { fieldOf } from "@trainwatch/core";
import { fleetWatchOf } from "./fleet-watch.ts";
import { columnFor, gpusOf, linksOf, T0, tickOf, topologyOf } from "./testing/fleet.fixture.ts";
it("speed", () => {
  const topology = topologyOf({ nodes: 2048 });
  const gpus = gpusOf(topology), links = linksOf(topology);
  const ports = topology.nodes.flatMap(({ id }) => Array.from({ length: 8 }, (_, p) => `${id}/port/mlx5_${p}:1`));
  const fields = [...new Set(FLEET_DETECTORS.flatMap((d) => d.fields))].filter((f) => !f.startsWith("nvidia_smi"));
  const plans = fields.map((field) => ({ field, kind: fieldOf(field)?.entity ?? "gpu", k: fieldOf(field)?.kind })).filter(p=>p.kind!=="node"&&p.kind!=="switch");
  const base = plans.map(({ field, kind, k }) => columnFor({ field, entities: kind === "link" ? links : kind === "port" ? ports : gpus, cell: (row) => k === "counter" || k==="state"|| k==="last-event"? (field.includes("GET_STATE")||field.includes("state_id")? (field.includes("state_id")?4:1):0) : field.includes("CLOCK") ? 1980 : field.includes("TEMP") ? 60 + (row % 3) : field.includes("BER")?0: field.includes("UTIL") ? 0.9 : 1e9 + (row % 7) * 1e6 }, 0));
  const per = FLEET_DETECTORS.map((d) => ({ id: d.id, w: fleetWatchOf([d], {}), ms: 0, n: 0 }));
  let findings = 0;
  const b0 = tickOf({ topology }, 0);
  for (let t = 0; t < 8; t++) {
    const timeMs = T0 + t * 10_000;
    const tick = { ...b0, timeMs, lastSampleAtMs: new Map(topology.nodes.map(({ id }) => [id, timeMs])), columns: base.map((c) => ({ ...c, values: c.field.includes("VIOLATION_x") ? c.values : c.values, timesMs: new Float64Array(c.timesMs.length).fill(timeMs) })) };
    for (const p of per) { const s = performance.now(); findings += p.w.tick(tick).length; const e = performance.now(); if (t >= 3) p.ms += e - s, p.n++; }
  }
  let total = 0;
  for (const p of per) { const st = performance.now(); const size = JSON.stringify(p.w.state()).length; const sm = performance.now()-st; console.log(p.id, (p.ms / p.n).toFixed(1), "ms", size, "B", sm.toFixed(0), "ms state"); total += p.ms / p.n; }
  console.log("total", total.toFixed(0), "ms, findings", findings, "fields", base.length, "rows", base.reduce((s, c) => s + c.values.length, 0));
});
