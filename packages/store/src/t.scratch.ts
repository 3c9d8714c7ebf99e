import { startEmbeddedPostgres, openStore } from "./index.ts";
import { FIRST_ATTEMPT } from "./samples/world.fixture.ts";
import { rm } from "node:fs/promises";
const keep = process.argv[2] === "keep";
if (!keep) await rm("/tmp/store/q", { recursive: true, force: true });
const e = await startEmbeddedPostgres({ dataDir: "/tmp/store/q" });
const store = await openStore({ url: e.url });
try {
const METRICS = 4, RANKS = 16, N = 1_000_000, CH = 15625;
if (!keep) {
 const t0 = performance.now();
 for (let c = 0; c < N / CH; c++) {
  await store.ingest.transaction(async (tx) => {
    const run = await tx.openRun({ project: "p", name: "r" }, 0);
    const want = []; for (let m=0;m<METRICS;m++) for (let r=0;r<RANKS;r++) want.push({ metric: `m${m}`, labels: { rank: String(r) }, unit: null });
    const { found, made } = await run.series(want);
    const ids = await run.attempts([{ ...FIRST_ATTEMPT, firstStep: 0, lastStep: (c+1)*CH-1 }], new Map());
    const o = await run.append(found.map((f, k) => ({ seriesId: f.id, attemptId: ids.get("a1")!, far: false, points: { count: CH, step: Float64Array.from({length:CH},(_,i)=>c*CH+i), timeMs: Float64Array.from({length:CH},(_,i)=>1.7e12+(c*CH+i)*1000), value: Float64Array.from({length:CH},()=>2+Math.random()*0.1+k), arrival: new Float64Array(CH).fill(c+1) } })));
    await tx.finish({ source: "s", seq: c, runId: run.id, bodyHash: "", nowMs: 0, answer: { accepted: o.stored, repeated: 0, missing: 0, refused: [], refusedTotal: 0, flagged: [], attempt: "a1", runId: run.id } }, { nowMs: 0, arrivals: c+1, attempt: "a1", lastStep: (c+1)*CH-1, lastLoss: undefined, newestSampleMs: null, newSeries: made, newPoints: o.stored, stepIsConstant: false, zoneAssumed: false, relabelled: false, metadata: {}, state: null });
  });
 }
 console.log("loaded", performance.now()-t0|0); const t1 = performance.now(); console.log(await store.samples.maintain(), "maintain", performance.now()-t1|0);
}
console.log((await store.pool.query("select level, up, count(*), sum(size) from samples.block group by 1,2 order by 1,2")).rows.map(r=>Object.values(r).join(" ")).join("\n"), (await store.pool.query("select pg_size_pretty(pg_total_relation_size('samples.block')) s, pg_size_pretty(pg_indexes_size('samples.block')) i")).rows);
for (const axis of ["step","time"] as const) for (const metrics of [["m0"],["m0","m1","m2","m3"]]) for (const [from, to] of [[null,null],[100000,900000],[100001,350003],[500000,560000],[500000,508000],[500000,500900]] as const) {
 const ts=[]; let pts=0, bytes=0; for (let i=0;i<15;i++) { const t=performance.now(); const m = (x: number|null)=>x===null?null:axis==="time"?1.7e12+x*1000:x; const w = await store.samples.window({runId:1,metrics,attempts:"all",axis,from:m(from),to:m(to),buckets:1024}); const j = JSON.stringify(w); bytes=j.length; pts=w.points; ts.push(performance.now()-t);} 
 ts.sort((a,b)=>a-b); console.log(axis, metrics.length, from, to, "points", pts, "json", bytes, "p50", ts[7].toFixed(1), "max", ts[14].toFixed(1));
}
} finally { await store.close(); await e.stop(); }
