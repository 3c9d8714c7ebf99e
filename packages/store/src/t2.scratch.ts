import { startEmbeddedPostgres, openStore } from "./index.ts";
const e = await startEmbeddedPostgres({ dataDir: "/tmp/store/q" });
const store = await openStore({ url: e.url });
try {
for (const axis of ["step","time"] as const) for (const metrics of [["m0"],["m0","m1","m2","m3"]]) for (const [from, to] of [[null,null],[100000,900000],[100001,350003],[500000,560000],[500000,508000],[500000,500900]] as const) {
 const ts=[]; let c0: NodeJS.CpuUsage; for (let i=0;i<15;i++) { if (i===5) c0=process.cpuUsage(); const t=performance.now(); const m = (x: number|null)=>x===null?null:axis==="time"?1.7e12+x*1000:x; const w = await store.samples.window({runId:1,metrics,attempts:"all",axis,from:m(from),to:m(to),buckets:1024}); const j = JSON.stringify(w);  ts.push(performance.now()-t);} 
 const c=process.cpuUsage(c0!); ts.sort((a,b)=>a-b); console.log(axis, metrics.length, from, to, "cpu ms", ((c.user+c.system)/10000).toFixed(1), "min", ts[0]!.toFixed(1), "p50", ts[7]!.toFixed(1));
}
} finally { await store.close(); await e.stop(); }
