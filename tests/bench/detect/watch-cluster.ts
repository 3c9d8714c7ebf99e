import { foldFinding } from "@trainwatch/core";
import type { Finding, Incident, RankPlacement, Sample } from "@trainwatch/core";
import { createClockWatch, createFleetWatch, createMonitor, createRankMonitor, FLEET_TICK_MS } from "@trainwatch/detect";
import type { AttemptMonitor, ClockFacts, ClockWatch, FleetTick, RankMonitor } from "@trainwatch/detect";
import type { ClusterEvent, ClusterStep, SimulatedCluster, StuckStep } from "@trainwatch/simulate";
import { FleetTicks } from "./fleet-ticks.ts";

export const RUN = "bench/cluster";
/** Readings of a tick are there so long after it. */
const SETTLE_MS = 2_000;

/** When something was first said, and how it stood in the end. */
export interface Said {
  readonly first: Finding;
  /** By the server's clock: when the data were there that it was said of. */
  readonly atMs: number;
  /** Newest step of the run then. */
  readonly step: number | null;
  readonly last: Finding;
}

export interface Verdicts {
  /** By finding, in the order in which they were first said. */
  readonly said: readonly Said[];
  readonly incidents: readonly Incident[];
  readonly steps: number;
  readonly rankSamples: number;
  readonly seconds: number;
}

export interface WatchOptions {
  /** Whether exporters and kernel logs are read as well; ranks and the run alone else. */
  readonly fleet: boolean;
  /** Ends there, epoch ms. */
  readonly untilMs?: number;
  /** Ends so long after the first alarm that follows a time: what belongs to it has been said by then. */
  readonly settle?: { readonly fromMs: number; readonly forMs: number };
}

/** Everything that is said of a simulated cluster while it runs: detectors of the run, its ranks, its nodes and the clock, folded into incidents as the server folds them. */
export function watchCluster(cluster: SimulatedCluster, { fleet, untilMs = Number.POSITIVE_INFINITY, settle }: WatchOptions): Verdicts {
  const watch = new ClusterWatch(cluster, fleet);
  for (const event of cluster.events()) {
    if (event.timeMs > untilMs || (settle !== undefined && event.timeMs > watch.firstAlarmAfter(settle.fromMs) + settle.forMs)) break;
    watch.passUntil(event.timeMs);
    watch.take(event);
  }
  return watch.verdicts();
}

interface AttemptState {
  readonly name: string;
  readonly monitor: AttemptMonitor;
  readonly ranks: RankMonitor;
  readonly clock: ClockWatch;
  readonly rankSteps: Map<number, number>;
  lastStep: number | null;
  movedAtMs: number | null;
  saving: number | null;
  checkpoint: ClockFacts["checkpoint"];
  incomplete: ClockFacts["incomplete"];
  hasEnded: boolean;
  readonly pacesS: number[];
}

class ClusterWatch {
  private readonly cluster: SimulatedCluster;
  private readonly fleet: { readonly ticks: FleetTicks; readonly watch: ReturnType<typeof createFleetWatch> } | null;
  private readonly placements: readonly RankPlacement[];
  private attempt: AttemptState | null = null;
  private readonly said = new Map<
    string,
    { readonly first: Finding; readonly atMs: number; readonly step: number | null; last: Finding }
  >();
  private incidents: readonly Incident[] = [];
  private notes: readonly Finding[] = [];
  private tickMs: number;
  private receivedMs: number;
  private readonly startMs: number;
  private steps = 0;
  private rankSamples = 0;
  private traffic: number | null = null;

  constructor(cluster: SimulatedCluster, withFleet: boolean) {
    this.cluster = cluster;
    this.startMs = cluster.plan.run.startTimeMs;
    this.tickMs = this.startMs;
    this.receivedMs = this.startMs;
    const assignments = cluster.assignments(this.startMs);
    const hosts = new Map(cluster.fleet.nodes.map(({ machineId, host }) => [machineId, host]));
    this.placements = assignments.map(({ rank, dp, tp, pp, ep, gpuUuid, node }) => ({
      rank,
      dp,
      tp,
      pp,
      ep,
      gpuId: gpuUuid,
      nodeId: node,
      host: hosts.get(node) ?? null,
    }));
    this.fleet = withFleet ? { ticks: new FleetTicks(cluster.fleet, RUN, assignments), watch: createFleetWatch({}) } : null;
  }

  /** Ticks of the fleet and of the clock until a time. */
  passUntil(timeMs: number): void {
    while (this.tickMs + FLEET_TICK_MS + SETTLE_MS <= timeMs) {
      this.tickMs += FLEET_TICK_MS;
      const nowMs = this.tickMs + SETTLE_MS;
      if (this.fleet !== null) {
        const tick = this.fleet.ticks.at(this.tickMs);
        this.traffic = trafficOf(tick);
        this.hear(this.fleet.watch.tick(tick), nowMs);
      }
      const { attempt } = this;
      if (attempt !== null) this.hear(attempt.clock.observe(this.clockFacts(attempt, nowMs), attempt.rankSteps), nowMs);
    }
  }

  take(event: ClusterEvent): void {
    if (event.kind !== "end") this.receivedMs = event.timeMs;
    switch (event.kind) {
      case "start":
        this.begin(event.attempt);
        return;
      case "step":
        this.runStep(event);
        this.rankStep(event);
        return;
      case "stuck-step":
        this.rankStep(event);
        return;
      case "saving":
        if (this.attempt !== null) this.attempt.saving = event.timeMs;
        return;
      case "checkpoint":
        if (this.attempt === null) return;
        this.attempt.saving = null;
        if (event.state === "incomplete") this.attempt.incomplete = { step: event.step, savedAtMs: event.timeMs, reason: event.reason };
        else this.attempt.checkpoint = { step: event.step, savedAtMs: event.timeMs };
        return;
      case "end":
        if (this.attempt === null) return;
        this.attempt.hasEnded = true;
        this.hear([...this.attempt.monitor.finish(), ...this.attempt.ranks.finish()], event.timeMs);
        return;
      default:
    }
  }

  /** Infinity where there was none. */
  firstAlarmAfter(fromMs: number): number {
    let first = Number.POSITIVE_INFINITY;
    for (const { first: finding, atMs } of this.said.values())
      if (atMs > fromMs && finding.severity !== "info") first = Math.min(first, atMs);
    return first;
  }

  verdicts(): Verdicts {
    const endMs = Math.max(this.tickMs, this.receivedMs);
    return {
      said: [...this.said.values()],
      incidents: this.incidents,
      steps: this.steps,
      rankSamples: this.rankSamples,
      seconds: (endMs - this.startMs) / 1000,
    };
  }

  private begin(name: string): void {
    const context = { run: RUN, attempt: name };
    this.attempt = {
      name,
      monitor: createMonitor(context),
      ranks: createRankMonitor({ ...context, placements: this.placements }),
      clock: createClockWatch(context),
      rankSteps: new Map(),
      lastStep: null,
      movedAtMs: null,
      saving: null,
      checkpoint: null,
      incomplete: null,
      hasEnded: false,
      pacesS: [],
    };
  }

  private runStep({ step, timeMs, values }: ClusterStep): void {
    const { attempt } = this;
    if (attempt === null) return;
    this.steps++;
    attempt.lastStep = step;
    attempt.movedAtMs = timeMs;
    attempt.pacesS.push(values.step_time);
    if (attempt.pacesS.length > 101) attempt.pacesS.shift();
    const samples = Object.entries(values).map(([metric, value]): Sample => ({ metric, step, timeMs, value }));
    this.hear(attempt.monitor.observe(samples), timeMs);
  }

  private rankStep({ step, timeMs, ranks }: ClusterStep | StuckStep): void {
    const { attempt } = this;
    if (attempt === null) return;
    const count = ranks.clockMs.length;
    const has = ranks.silent === null ? new Uint8Array(count).fill(1) : ranks.silent.map((silent) => 1 - silent);
    for (let rank = 0; rank < count; rank++) if (has[rank] === 1) attempt.rankSteps.set(rank, step);
    // A step that some never end waits in the assembler for their values.
    if (ranks.silent?.some((silent) => silent === 1) === true && this.cluster.plan.missing === 0) return;
    for (const [metric, column] of ranks.columns) {
      this.rankSamples += count;
      const values = ranks.silent === null ? column : column.map((value, rank) => (has[rank] === 1 ? value : Number.NaN));
      this.hear(attempt.ranks.observe({ metric, step, timeMs, values, has }), timeMs);
    }
  }

  private clockFacts(attempt: AttemptState, nowMs: number): ClockFacts {
    const sorted = attempt.pacesS.toSorted((a, b) => a - b);
    return {
      nowMs,
      lastStep: attempt.lastStep,
      stepMovedAtMs: attempt.movedAtMs,
      lastReceivedAtMs: this.receivedMs,
      stepTimeS: sorted[sorted.length >> 1] ?? null,
      phase: attempt.saving === null ? null : { kind: "checkpoint", sinceMs: attempt.saving },
      checkpoint: attempt.checkpoint,
      incomplete: attempt.incomplete ?? null,
      checkpointEvery: this.cluster.plan.run.checkpointEvery,
      trafficShare: this.traffic,
      ended: attempt.hasEnded,
    };
  }

  private hear(findings: readonly Finding[], atMs: number): void {
    for (const finding of findings) {
      const known = this.said.get(finding.id);
      if (known === undefined) this.said.set(finding.id, { first: finding, atMs, step: this.attempt?.lastStep ?? null, last: finding });
      else known.last = finding;
      this.fold(finding, atMs);
    }
  }

  private fold(finding: Finding, nowMs: number): void {
    const outcome = foldFinding(finding, {
      run: RUN,
      attempt: this.attempt?.name ?? null,
      incidents: this.incidents,
      notes: this.notes.slice(-64),
      logEvery: 1,
      nowMs,
    });
    if (outcome.kind === "note") {
      this.notes = [...this.notes.filter(({ id }) => id !== finding.id), outcome.finding];
      return;
    }
    this.notes = this.notes.filter(({ id }) => id !== finding.id && outcome.adopted.every((adopted) => adopted.id !== id));
    const { incident } = outcome;
    this.incidents =
      incident.id === null
        ? [...this.incidents, { ...incident, id: this.incidents.length + 1 }]
        : this.incidents.map((each) => (each.id === incident.id ? incident : each));
  }
}

/** Share of the GPUs that move bytes over NVLink. */
function trafficOf({ columns }: FleetTick): number | null {
  const column = columns.find(({ field }) => field === "DCGM_FI_DEV_NVLINK_THROUGHPUT_TOTAL");
  if (column === undefined) return null;
  const seen = [...column.values].filter((_, row) => column.has[row] === 1);
  return seen.length === 0 ? null : seen.filter((value) => value > 10).length / seen.length;
}
