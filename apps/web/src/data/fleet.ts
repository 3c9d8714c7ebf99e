import { keepPreviousData, skipToken, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type {
  FleetCatalogueEntry,
  FleetCoverage,
  FleetDiffers,
  FleetEventPage,
  FleetFrame,
  FleetFrames,
  FleetGpuView,
  FleetIncidentMark,
  FleetLayout,
  FleetLinksView,
  FleetMetricView,
  FleetTimeline,
  FleetWindow,
} from "@trainwatch/core";
import { loadedOf, type Loaded } from "./loaded.ts";
import { keepOfSameSubject } from "./same-subject.ts";
import { useTRPC } from "./trpc.ts";
import { verbOf, type Verb } from "./verb.ts";

/** A fleet is scraped every 10 s; asking more often shows nothing new. */
export const FLEET_POLL_MS = 10_000;
const LAYOUT_POLL_MS = 30_000;
const COVERAGE_POLL_MS = 60_000;

/** Live is asked again and again; a time of the past does not move. */
function pollOf(atMs: number | null, everyMs = FLEET_POLL_MS): { readonly refetchInterval: number | false } {
  return { refetchInterval: atMs === null ? everyMs : false };
}

export function useFleetMetrics(): Loaded<readonly FleetMetricView[]> {
  const trpc = useTRPC();
  return loadedOf(useQuery(trpc.fleet.metrics.queryOptions(undefined, { refetchInterval: COVERAGE_POLL_MS })));
}

/** Who is where; null is now. `undefined` asks nothing. A page that is left open all day may ask less often: it names every GPU. */
export function useFleetLayout(atMs: number | null | undefined, everyMs = LAYOUT_POLL_MS): Loaded<FleetLayout> {
  const trpc = useTRPC();
  const input = atMs === undefined ? skipToken : { atMs };
  return loadedOf(useQuery(trpc.fleet.layout.queryOptions(input, { placeholderData: keepPreviousData, ...pollOf(atMs ?? null, everyMs) })));
}

/** One metric on every GPU; `atMs` null is now. `metric` null asks nothing. */
export function useFleetFrame(metric: string | null, atMs: number | null): Loaded<FleetFrame> {
  const trpc = useTRPC();
  const input = metric === null ? skipToken : { metric, atMs };
  return loadedOf(useQuery(trpc.fleet.frame.queryOptions(input, { placeholderData: keepPreviousData, ...pollOf(atMs) })));
}

export interface FramesQuestion {
  readonly metric: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly count: number;
}

/** The frames of a play; null asks nothing. */
export function useFleetFrames(question: FramesQuestion | null): Loaded<FleetFrames> {
  const trpc = useTRPC();
  return loadedOf(useQuery(trpc.fleet.frames.queryOptions(question ?? skipToken, { staleTime: Number.POSITIVE_INFINITY })));
}

/** Events along a window for the slider. */
export function useFleetTimeline(question: {
  readonly fromMs: number;
  readonly toMs: number;
  readonly buckets: number;
}): Loaded<FleetTimeline> {
  const trpc = useTRPC();
  return loadedOf(useQuery(trpc.fleet.timeline.queryOptions(question, { placeholderData: keepPreviousData })));
}

export const EVENTS_PAGE_SIZE = 200;

export interface EventsQuestion {
  readonly nodeId?: string;
  readonly fromMs: number | null;
  readonly toMs: number | null;
  readonly limit?: number;
}

/** Newest first; a burst is one. */
export function useFleetEvents(question: EventsQuestion | null): Loaded<FleetEventPage> {
  const trpc = useTRPC();
  const input = question === null ? skipToken : { limit: EVENTS_PAGE_SIZE, ...question };
  return loadedOf(useQuery(trpc.fleet.events.queryOptions(input, { placeholderData: keepOfSameSubject(question) })));
}

/** One GPU; null asks nothing. */
export function useFleetGpu(gpuId: string | null, atMs: number | null): Loaded<FleetGpuView> {
  const trpc = useTRPC();
  const input = gpuId === null ? skipToken : { gpuId, atMs };
  return loadedOf(useQuery(trpc.fleet.gpu.queryOptions(input, pollOf(atMs))));
}

/** Incidents that stand, and the GPUs and nodes that they accuse. */
export function useFleetIncidents(atMs: number | null): Loaded<readonly FleetIncidentMark[]> {
  const trpc = useTRPC();
  return loadedOf(
    useQuery(trpc.fleet.incidents.queryOptions({ atMs }, { placeholderData: keepPreviousData, ...pollOf(atMs, LAYOUT_POLL_MS) })),
  );
}

/** What tells some GPUs from the others; null asks nothing. */
export function useFleetDiffers(
  question: {
    readonly gpuIds: readonly string[];
    readonly runId: number | null;
    readonly atMs: number | null;
  } | null,
): Loaded<FleetDiffers> {
  const trpc = useTRPC();
  const input = question === null ? skipToken : { ...question, gpuIds: [...question.gpuIds] };
  return loadedOf(useQuery(trpc.fleet.differs.queryOptions(input, { placeholderData: keepPreviousData })));
}

export function useFleetLinks(nodeId: string | null, atMs: number | null): Loaded<FleetLinksView> {
  const trpc = useTRPC();
  const input = nodeId === null ? skipToken : { nodeId, atMs };
  return loadedOf(useQuery(trpc.fleet.links.queryOptions(input, pollOf(atMs))));
}

export function useFleetCoverage(atMs: number | null): Loaded<FleetCoverage> {
  const trpc = useTRPC();
  return loadedOf(
    useQuery(trpc.fleet.coverage.queryOptions({ atMs }, { placeholderData: keepPreviousData, ...pollOf(atMs, COVERAGE_POLL_MS) })),
  );
}

export function useFleetCatalogue(): Loaded<readonly FleetCatalogueEntry[]> {
  const trpc = useTRPC();
  return loadedOf(useQuery(trpc.fleet.catalogue.queryOptions()));
}

export interface FleetWindowQuestion {
  readonly metric: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly buckets: number;
  readonly entityIds?: readonly string[];
  readonly nodeId?: string;
  readonly runId?: number;
}

/** A metric over wall time, at most 64 series; null asks nothing. */
export function useFleetWindow(question: FleetWindowQuestion | null): Loaded<FleetWindow> {
  const trpc = useTRPC();
  const input = question === null ? skipToken : windowInput(question);
  return loadedOf(useQuery(trpc.fleet.window.queryOptions(input, { placeholderData: keepOfSameSubject(question) })));
}

function windowInput({ entityIds, ...question }: FleetWindowQuestion) {
  return { ...question, ...(entityIds === undefined ? {} : { entityIds: [...entityIds] }) };
}

export interface CordonVerbs {
  readonly cordon: Verb<{ readonly nodeId: string; readonly reason: string }>;
  readonly uncordon: Verb<{ readonly nodeId: string; readonly reason: string }>;
}

/** Marks a node as one that takes no work, or takes the mark away. */
export function useCordonVerbs(): CordonVerbs {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const onSuccess = () =>
    Promise.all([trpc.fleet.pathFilter(), trpc.audit.pathFilter()].map((filter) => queries.invalidateQueries(filter)));
  return {
    cordon: verbOf(useMutation(trpc.fleet.cordon.mutationOptions({ onSuccess }))),
    uncordon: verbOf(useMutation(trpc.fleet.uncordon.mutationOptions({ onSuccess }))),
  };
}
