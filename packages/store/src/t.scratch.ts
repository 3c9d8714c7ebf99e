import { startEmbeddedPostgres, openStore } from "./index.ts";
import { parsePush } from "../../api/src/ingest/parse-push.ts";
import { pushSamples } from "../../api/src/ingest/push.ts";
import { pushHash } from "../../api/src/ingest/body-hash.ts";
import { rm } from "node:fs/promises";
await rm("/tmp/store/bench", { recursive: true, force: true });
const e = await startEmbeddedPostgres({ dataDir: "/tmp/store/bench", throwAway: true });
console.time("open"); const store = await openStore({ url: e.url }); console.timeEnd("open");
try {
const S=64, N=15625;
const body = JSON.stringify({ source: "b", seq: 1, run: {project:"p",name:"r"}, series: Array.from({length:S},(_,i)=>({metric:`m${i}`})), columns: Array.from({length:S},(_,i)=>({series:i, step: Array.from({length:N},(_,k)=>k), time: Array.from({length:N},(_,k)=>1.7e12+k*1000+i), value: Array.from({length:N},(_,k)=>Number((2+Math.sin(k*0.01+i)).toFixed(5)))})) });
console.log("body", body.length);
const ctx = { store, now: () => Date.now(), moves: { announce() {} } };
for (let r = 0; r < 3; r++) {
 const t0 = performance.now(); const raw = JSON.parse(body.replace('"seq":1', `"seq":${r+1}`).replace('"name":"r"', `"name":"r${r}"`)); const t1 = performance.now();
 const p = parsePush(raw); const t2 = performance.now(); pushHash(p); const t3 = performance.now();
 const a = await pushSamples(ctx, p); const t4 = performance.now();
 console.log(r, "json", t1-t0|0, "parse", t2-t1|0, "hash", t3-t2|0, "push", t4-t3|0, JSON.stringify(a).slice(0,200));
}
const client = await store.pool.connect();
await client.query("create table plain (run int, series int, attempt int, step bigint, time double precision, value double precision)");
const { copyRows } = await import("./pool/index.ts");
const t5 = performance.now();
await copyRows(client, "plain (run,series,attempt,step,time,value)", (w) => { for (let s=0;s<S;s++) for (let k=0;k<N;k++) { w.row(6); w.int4(1); w.int4(s); w.int4(1); w.int8(k); w.float8(1.7e12+k*1000); w.float8(k*0.1);} });
console.log("copy rows via our own writer", performance.now()-t5|0);
const t6=performance.now(); console.log(await store.samples.maintain(), "maintain", performance.now()-t6|0);
client.release();
} finally { await store.close(); await e.stop(); }
