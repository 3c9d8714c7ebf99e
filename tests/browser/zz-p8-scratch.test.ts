
import { afterAll, beforeAll, describe, it } from "vitest";
import type { Page, Route } from "playwright-core";
import { openWorld, type World } from "./world.ts";
import { pushRlRun, heldOutShare, PEAK } from "./seeded-checkpoints.ts";
import { seriousFaults } from "./axe.ts";
let world: World; let runId = 0;
beforeAll(async () => { world = await openWorld(); runId = await pushRlRun(world, { endsAtMs: Date.now() }); });
afterAll(() => world[Symbol.asyncDispose]());
const now = Date.now();
const pts = Array.from({length: 44}, (_, i) => (i+1)*50);
const post = (held: boolean) => ({
  isPostTraining: true, attempt: "a2",
  lanes: [
    {signal:"reward",title:"Reward, proxy",metric:"reward",unit:"",missing:null},
    {signal:"held-out",title:"Held-out score",metric: held ? "eval/reasoning/accuracy": null,unit:"",missing: held ? null : "No held-out evaluation: over-optimisation cannot be seen."},
    {signal:"kl",title:"KL to reference",metric:"kl",unit:"nats",missing:null},
    {signal:"entropy",title:"Entropy",metric:"entropy",unit:"nats",missing:null},
    {signal:"response-length",title:"Response length",metric:"response_length",unit:"tokens",missing:null},
    {signal:"truncation",title:"Truncation",metric:null,unit:"",missing:"No share of cut responses is logged: log response_length/clip_ratio or completions/clipped_ratio."},
    {signal:"clip-fraction",title:"Clip fraction",metric:"clip_fraction",unit:"",missing:null},
    {signal:"zero-variance-groups",title:"Groups alike",metric:"zero_variance_share",unit:"",missing:null},
    {signal:"mismatch",title:"Mismatch",metric:null,unit:"",missing:"Nothing tells rollout and trainer apart: log sampling/sampling_logp_difference/mean."},
  ],
  heldOut: held ? { source:"log", metric:"eval/reasoning/accuracy", prompts: 1000, points: pts.map((s,i)=>({step:s, value: heldOutShare(s)+0.005*Math.sin(i*7.3), low: heldOutShare(s)+0.005*Math.sin(i*7.3)-0.013, high: heldOutShare(s)+0.005*Math.sin(i*7.3)+0.013})), fit: pts.map(heldOutShare)} : null,
  turningPoint: held ? { metric:"eval/reasoning/accuracy", over:"kl", peakStep:PEAK, lowStep:1400, highStep:1650, confidence:0.9, peakValue:0.616,lastValue:0.556,drop:0.0583,dropError:0.0041,peakKl:0.0704,turned:true,proxyRises:true,checkpoint:{checkpointId:7,step:1400},text:"Held-out score is best about step 1,520 and has since fallen while the reward climbs: keep the checkpoint of step 1,400."} : null,
  why: held ? null : "No held-out evaluation", findings: [],
});
const res = (key:string,title:string,value:number|null,unit:string,scale:number,digits:number,delta:number|null,verdict:string|null) => ({key,title,dimension:"capability",unit,scale,digits,better:"higher",value,low:value===null?null:value-0.02,high:value===null?null:value+0.02,n:1319,evaluatedAtMs:now-9e6,importedAtMs:now,file:"results.json",delta,verdict});
const passport = () => ({
  checkpoint:{attempt:"a2",step:1800,kind:"model",path:"/ckpt/rl-70b-chat/step1800",state:"verified",savedAtMs:now-24e6,reason:"replica hashes agree"},
  checkpointId: 9, run:{runId,project:"lab",name:"rl-70b-chat"}, previous:{checkpointId:8,step:1600}, next:{checkpointId:10,step:2000}, tokens: 1800*4194304,
  verdicts:[
   {name:"complete",title:"Complete",state:"good",text:"Complete",detail:"replica hashes agree"},
   {name:"verified",title:"Verified",state:"good",text:"Verified",detail:"replica hashes agree"},
   {name:"training-health",title:"Training health before it",state:"bad",text:"After the turning point",detail:"held-out score was best at step 1,520, interval 1,400 to 1,650"},
   {name:"silent-corruption",title:"Silent corruption inside",state:"unknown",text:"Unknown",detail:"no fleet sampler named the GPUs that trained it"},
   {name:"scores",title:"Scores",state:"doubt",text:"4 better, 2 worse",detail:"1 tie against baseline step 1,400"},
   {name:"decision",title:"Decision",state:"unknown",text:"None",detail:"stands in no release comparison"}],
  lineage:[{attempt:"a1",fromStep:1,toStep:800,rolledBack:[{fromStep:801,toStep:900,reason:"tokenizer bug in the prompts"}]},{attempt:"a2",fromStep:801,toStep:1800,rolledBack:[]}],
  skipped:[{fromStep:1200,toStep:1220,incidentId:3}],
  events:[{step:400,severity:"info",incidentId:1,title:"Reward spike ×1.6 at step 400",outcome:"recovered"},{step:810,severity:"warning",incidentId:2,title:"Response length jumps at step 810, still +40 tokens",outcome:"recovered"},{step:1520,severity:"critical",incidentId:4,title:"Reward climbs while held-out score falls, turning point at step 1,520",outcome:"still open"}],
  eventTotal:3, gpus:{known:0,nodes:0,suspects:[]}, scorecardId:5,
  results:[res("gsm8k|acc|","GSM8K, accuracy",0.706,"%",100,1,0.034,"better"),res("hellaswag|acc_norm|","HellaSwag, accuracy",0.813,"%",100,1,0.004,"tie"),res("mbpp|pass@1|","MBPP, pass@1",0.482,"%",100,1,-0.021,"worse"),res("xstest|refusal|","Harmless but refused",0.041,"%",100,1,null,"not-comparable"),res("latency|p95|","Latency, p95",2.6,"s",1,1,0.3,"worse"),res("tqa|mc2|","TruthfulQA",null,"%",100,1,null,"missing")],
  against:"step 1,400",
  decisions:[{atMs:now-3e6,actor:"S. Haddad",text:"serving: override, signed",reason:"Latency p95 2.6 s over 2.5 s: new decode kernel ships first, 2.2 s with it.",releaseId:1,incidentId:null},{atMs:now-4e6,actor:"A. Petrov",text:"safety: signed",reason:null,releaseId:1,incidentId:null}],
  doubts:[{kind:"unknown",text:"Recompute fingerprint was off: corruption below the all-reduce would be seen only by its effect."},{kind:"note",text:"Five-turn agent tasks were run once; spread between seeds unknown."}],
});
const entries = () => ({items: Array.from({length:11},(_,i)=>({checkpointId:i+1,run:{runId,project:"lab",name:"rl-70b-chat"},attempt:i<4?"a1":"a2",step:(11-i)*200,kind:"model",path:"/x",state:i===3?"incomplete":i<2?"unchecked":"verified",reason:i===3?"1 shard missing":null,savedAtMs:i===5?null:now-i*12e6,tokens:(11-i)*200*4194304,inEffect:i!==6,results:i%3===0?7:0,incidentsBefore:3-Math.floor(i/4),signedReleases:i===2?[{releaseId:1,name:"chat-70b 2.4"}]:[]})),total:11,next:null});
async function fake(page: Page, answers: Record<string, () => unknown>) {
  await page.route("**/trpc/**", async (route: Route) => {
    const url = new URL(route.request().url());
    const verbs = decodeURIComponent(url.pathname.slice("/trpc/".length)).split(",");
    if (!verbs.some((v) => v in answers)) return route.fallback();
    const response = await route.fetch();
    const body: unknown = await response.json().catch(() => []);
    const got = Array.isArray(body) ? body : [body];
    const json = verbs.map((each, i) => (each in answers ? { result: { data: answers[each]?.() } } : got[i]));
    return route.fulfill({ status: 200, json: url.searchParams.get("batch") === null ? json[0] : json });
  });
}
describe("scratch", () => {
  it("pictures", async () => {
    const only = process.env["P8"] ?? "all";
    for (const [name, path, opts, held] of [
      ["passport","/checkpoints/9",{},true],["passport-light","/checkpoints/9",{colorScheme:"light"},true],["passport-phone","/checkpoints/9",{viewport:{width:390,height:844}},true],
      ["registry","/checkpoints",{},true],["registry-phone","/checkpoints",{viewport:{width:390,height:844}},true],
      ["post",`/runs/${runId}?tab=post-training`,{},true],["post-none",`/runs/${runId}?tab=post-training`,{},false],["post-phone",`/runs/${runId}?tab=post-training`,{viewport:{width:390,height:844}},true],
    ] as const) {
      if (only !== "all" && !only.split(",").includes(name)) continue;
      await using opened = await world.open("/settings", { colorScheme: "dark", ...opts });
      const { page } = opened;
      await fake(page, { "postTraining.get": () => post(held), "checkpoints.passport": passport, "checkpoints.registry": entries, "scorecards.trend": () => [] });
      await page.goto(`${world.url}${path}`);
      await page.locator("h1").first().waitFor();
      await page.waitForTimeout(2500);
      await page.screenshot({ path: `/tmp/p8/${name}.png`, fullPage: name.includes("phone") });
      console.log(name, JSON.stringify(await seriousFaults(page)), JSON.stringify(opened.console.errors().slice(0,5)));
    }
  });
});
