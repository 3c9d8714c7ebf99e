import { XID_TABLE, xidVerdict } from "@trainwatch/core";
import { restoreState } from "../../json-state.ts";
import type { FleetTick } from "../contract.ts";
import { defineFleetDetector } from "../engine/define.ts";
import type { FleetBody, FleetKit } from "../engine/define.ts";
import type { EpisodeBook } from "../engine/episode.ts";
import { FieldCoverage } from "../engine/field-coverage.ts";
import { seenOf } from "../engine/sighting.ts";
import { isApplicationCode, isFollowerCode, xidBursts } from "../xid/xid-bursts.ts";
import type { XidBurst } from "../xid/xid-bursts.ts";
import { forget, newXidMemory } from "../xid/xid-memory.ts";
import type { HeldXid, XidMemory } from "../xid/xid-memory.ts";
import { XID_PARAMETERS } from "../xid/xid-parameters.ts";
import type { XidParameterName } from "../xid/xid-parameters.ts";
import { applicationShare, escalated, initiatorOf, noteInitiator, noteOccurrence, thingOf } from "../xid/xid-rules.ts";
import { tellXid } from "../xid/xid-telling.ts";

const VERSION = 1;

/** The rules over one fleet: bursts in, sightings out. */
class XidWatch {
  readonly #kit: FleetKit<XidParameterName>;
  readonly memory: XidMemory;

  constructor(kit: FleetKit<XidParameterName>) {
    this.#kit = kit;
    this.memory = restoreState<XidMemory>({ version: VERSION, state: kit.stored }, VERSION, newXidMemory);
  }

  get #book(): EpisodeBook {
    return this.#kit.book;
  }

  tick(tick: FleetTick): void {
    const { chosen } = this.#kit;
    forget(this.memory, tick.timeMs, chosen("repeat_s") * 1000, chosen("silence_s") * 1000);
    this.#healed(tick);
    for (const burst of xidBursts(tick)) this.#take(burst, tick);
    this.#release(tick);
    this.#calm(tick.timeMs);
  }

  #take(burst: XidBurst, tick: FleetTick): void {
    const known = this.memory.bursts[burst.id];
    const grown = burst.count - (known?.counted ?? 0);
    if (grown <= 0 && (known?.lastMs ?? 0) >= burst.lastMs) return;
    this.memory.bursts[burst.id] = {
      counted: Math.max(burst.count, known?.counted ?? 0),
      lastMs: burst.lastMs,
      into: known?.into ?? "",
      toldMs: tick.timeMs,
    };
    noteOccurrence(this.memory, burst, this.#kit.chosen);
    const held = this.memory.held.find(({ id }) => id === burst.id);
    if (held !== undefined) return void Object.assign(held, { count: burst.count, lastMs: burst.lastMs });
    const into = known?.into ?? "";
    if (into.startsWith("teardown|") || into.startsWith("application|")) return this.#grow(into, burst, grown, tick);
    if (into !== "") return this.#report(burst, grown, tick);
    this.#judge(burst, grown, tick);
  }

  #judge(burst: XidBurst, grown: number, tick: FleetTick): void {
    const disengaged = `${thingOf(burst)}|163`;
    if (burst.code === 162 && this.#book.get(disengaged) !== null) return this.#book.end(disengaged, burst.firstMs);
    if (isFollowerCode(burst.code) || (isApplicationCode(burst.code) && burst.verdict.severity === "info")) {
      const { verdict: _, ...held } = burst;
      this.memory.held.push({ ...held, heldMs: tick.timeMs });
      return;
    }
    if (isApplicationCode(burst.code) && burst.verdict.severity !== "critical" && this.#isApplication(burst, grown, tick)) return;
    this.#report(burst, grown, tick);
  }

  /** Notes that have waited: they follow from another error, are the application's, or are told for themselves. */
  #release(tick: FleetTick): void {
    const { chosen } = this.#kit;
    // First all are counted on their nodes, then each is judged.
    for (const held of this.memory.held) applicationShare(this.memory, held, tick, chosen);
    this.memory.held = this.memory.held.filter((held) => !this.#isSettled(held, tick));
  }

  #isSettled(held: HeldXid, tick: FleetTick): boolean {
    const { chosen } = this.#kit;
    const burst: XidBurst = { ...held, verdict: xidVerdict(held.code, held.text) };
    const initiator = initiatorOf(this.memory, held, chosen);
    if (initiator !== null) {
      this.#teardown(`teardown|${initiator.key}`, burst, initiator, tick);
      return true;
    }
    if (isApplicationCode(held.code) && this.#isApplication(burst, held.count, tick)) return true;
    if (tick.timeMs - held.heldMs < chosen("hold_s") * 1000) return false;
    if (isFollowerCode(held.code) && held.runId !== null && !this.#isRepeatedAlone(burst))
      this.#teardown(`teardown|run|${held.runId}`, burst, null, tick);
    else this.#report(burst, held.count, tick);
    return true;
  }

  /** Work that is removed again and again from one GPU, while the job's other nodes say nothing of it. */
  #isRepeatedAlone(burst: XidBurst): boolean {
    const nodes = Object.keys(this.memory.application[`${burst.runId}|${burst.code}`] ?? {});
    return nodes.every((node) => node === burst.nodeId) && escalated(this.memory, burst, this.#kit.chosen).why !== "";
  }

  #isApplication(burst: XidBurst, grown: number, tick: FleetTick): boolean {
    const share = applicationShare(this.memory, burst, tick, this.#kit.chosen);
    if (share === null || burst.run === null) return false;
    const key = `application|${burst.runId}|${burst.code}`;
    const count = (this.#book.get(key)?.numbers["count"] ?? 0) + grown;
    this.#book.see(
      {
        key,
        what: "application",
        metric: `xid ${burst.code}`,
        subject: { kind: "run", id: burst.run },
        place: null,
        severity: "warning",
        onsetMs: burst.firstMs,
        value: share,
        baseline: null,
        numbers: { code: burst.code, share, count },
        words: { run: burst.run },
      },
      tick.timeMs,
    );
    this.#into(burst.id, key);
    // What was told of single GPUs before it was known to be the application's is taken back to a note.
    for (const episode of this.#book.open()) {
      if (
        episode.what !== "xid" ||
        episode.numbers["code"] !== burst.code ||
        episode.numbers["run"] !== burst.runId ||
        episode.severity === "info"
      )
        continue;
      episode.severity = "info";
      episode.words = { ...episode.words, isApplication: "yes" };
      this.#book.change(episode.key);
    }
    return true;
  }

  #teardown(key: string, burst: XidBurst, initiator: XidMemory["initiators"][number] | null, tick: FleetTick): void {
    this.#into(burst.id, key);
    const nodes = this.#nodesOf(key, burst, tick);
    const count = (this.#book.get(key)?.numbers["count"] ?? 0) + burst.count;
    const numbers = { count, nodes, initiator: initiator?.code ?? 0 };
    const words = burst.run === null ? {} : { run: burst.run };
    const seen = {
      what: "teardown",
      metric: "xid teardown",
      severity: "info",
      onsetMs: burst.firstMs,
      value: count,
      numbers,
      words,
    } as const;
    const named =
      initiator === null
        ? null
        : initiator.gpuId === ""
          ? seenOf(tick, "node", initiator.nodeId, seen)
          : seenOf(tick, "gpu", initiator.gpuId, seen);
    const subject = { kind: "run", id: burst.run ?? String(burst.runId) } as const;
    this.#book.see(named === null ? { ...seen, subject, key, place: null, baseline: null } : { ...named, key }, tick.timeMs);
  }

  /** Counts the node of a folded burst; how many there are by now. */
  #nodesOf(key: string, burst: XidBurst, tick: FleetTick): number {
    const nodes = (this.memory.application[key] ??= {});
    nodes[burst.nodeId] = Math.max(burst.lastMs, tick.timeMs);
    return Object.keys(nodes).length;
  }

  /** A burst that was folded before has grown. */
  #grow(key: string, burst: XidBurst, grown: number, tick: FleetTick): void {
    const episode = this.#book.get(key);
    if (episode === null) return;
    const count = (episode.numbers["count"] ?? 0) + grown;
    const nodes = key.startsWith("teardown|") ? { nodes: this.#nodesOf(key, burst, tick) } : {};
    this.#book.see(
      { ...episode, value: episode.what === "teardown" ? count : episode.value, numbers: { ...episode.numbers, count, ...nodes } },
      tick.timeMs,
    );
  }

  #report(burst: XidBurst, grown: number, tick: FleetTick): void {
    const { code, verdict, text } = burst;
    const up = escalated(this.memory, burst, this.#kit.chosen);
    const key = `${thingOf(burst)}|${code}`;
    const before = this.#book.get(key);
    const isSubCoded = code >= 144 && code <= 150;
    // The gauge of the last XID knows no sub-code; the log's line of the same error does.
    const isKnownBetter = isSubCoded && verdict.nvlink5 === null && before?.words["detail"] !== undefined;
    const severity = isKnownBetter ? before.severity : up.severity;
    if (before !== null && isSubCoded && verdict.nvlink5 !== null && before.words["detail"] === undefined) before.severity = severity;
    const seen = {
      what: "xid",
      metric: `xid ${code}`,
      severity,
      onsetMs: burst.firstMs,
      value: (before?.numbers["count"] ?? 0) + grown,
      numbers: {
        code,
        count: (before?.numbers["count"] ?? 0) + grown,
        occurrences: up.occurrences,
        ...(burst.runId === null ? {} : { run: burst.runId }),
      },
      words: isKnownBetter
        ? {}
        : {
            text,
            action: verdict.action,
            ...(verdict.class === null ? {} : { class: verdict.class }),
            ...(verdict.detail === null ? {} : { detail: verdict.detail }),
            ...(up.why === "" ? {} : { escalated: up.why }),
          },
    };
    const sighting = burst.gpuId === "" ? seenOf(tick, "node", burst.nodeId, seen) : seenOf(tick, "gpu", burst.gpuId, seen);
    const host = sighting.place?.host ?? burst.host;
    const place = sighting.place === null ? null : { ...sighting.place, nodeId: sighting.place.nodeId ?? burst.nodeId, host };
    this.#book.see({ ...sighting, key, place }, tick.timeMs);
    this.#into(burst.id, key);
    noteInitiator(this.memory, burst, { key, toldMs: tick.timeMs });
  }

  #into(id: number, key: string): void {
    const known = this.memory.bursts[id];
    if (known !== undefined) known.into = key;
  }

  /** A reboot or another GPU in its place ends what a GPU had. */
  #healed(tick: FleetTick): void {
    for (const event of tick.events) {
      if (event.kind !== "reboot" && event.kind !== "gpu-replaced") continue;
      for (const episode of this.#book.open()) {
        const isOfNode = episode.place?.nodeId === event.nodeId && (event.kind === "reboot" || event.entity === null);
        if ((isOfNode || episode.subject.id === event.entity?.id) && event.timeMs > episode.onsetMs)
          this.#book.end(episode.key, event.timeMs);
      }
    }
  }

  /** A note is over with its burst; what asks for somebody stays until a reboot, or a long quiet. */
  #calm(nowMs: number): void {
    const { chosen } = this.#kit;
    for (const episode of this.#book.open()) {
      const quietMs = (episode.severity === "info" || episode.what === "application" ? chosen("silence_s") : chosen("quiet_s")) * 1000;
      if (nowMs - episode.lastBadMs >= quietMs) this.#book.calm(episode.key, nowMs);
    }
  }
}

/** Not judged: they tell whether anybody reads the driver's errors. The gauge's changes come as events. */
const FIELDS = ["DCGM_FI_DEV_XID_ERROR", "trainwatch_agent_source_up"];

function start(kit: FleetKit<XidParameterName>): FleetBody {
  const watch = new XidWatch(kit);
  const coverage = new FieldCoverage(FIELDS);
  let hasEvents = false;
  return {
    tick(tick) {
      coverage.note(tick);
      hasEvents ||= tick.events.some(({ kind }) => kind === "xid");
      watch.tick(tick);
    },
    tell: tellXid,
    state: () => watch.memory,
    coverage: () => (hasEvents ? { sees: true, why: null } : coverage.coverage()),
  };
}

export const xid = defineFleetDetector(
  {
    id: "xid",
    version: VERSION,
    title: "XID",
    finds:
      "Errors that the driver reports of a GPU, by code and sub-code, with what follows from another error told apart from what began it.",
    source: `${XID_TABLE.source}; bursts, followers, repeats: Delta, NVIDIA Fleet Intelligence, NVSentinel, detection.md C.2`,
    fields: FIELDS,
  },
  XID_PARAMETERS,
  start,
);
