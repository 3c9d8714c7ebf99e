import { keepPreviousData, skipToken, useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type {
  ExampleAnswer,
  FrozenDifference,
  FrozenRelease,
  GateInput,
  ReleaseDetail,
  ReleasePage,
  ReleaseSpecInput,
  ReleaseSummary,
  SampleDifferencePage,
  SampleTexts,
} from "@trainwatch/core";
import type { SavedFile } from "../files/save-file.ts";
import { loadedOf, type Loaded } from "./loaded.ts";
import { useTRPC, useTRPCClient } from "./trpc.ts";
import { verbOf, type Verb } from "./verb.ts";

const RELEASES_PAGE_SIZE = 50;

/** Release comparisons, the newest first. */
export function useReleases(cursor: string | null): Loaded<ReleasePage> {
  const trpc = useTRPC();
  return loadedOf(useQuery(trpc.releases.list.queryOptions({ limit: RELEASES_PAGE_SIZE, cursor }, { placeholderData: keepPreviousData })));
}

export function useRelease(releaseId: number): Loaded<ReleaseDetail> {
  const trpc = useTRPC();
  return loadedOf(useQuery(trpc.releases.get.queryOptions({ releaseId })));
}

/** The copy that was signed; asked for only where somebody looks. */
export function useFrozenRelease(releaseId: number): Loaded<FrozenRelease | null> {
  const trpc = useTRPC();
  return loadedOf(useQuery(trpc.releases.frozen.queryOptions({ releaseId })));
}

/** Rows that are now other than in the signed copy. */
export function useFrozenDifferences(releaseId: number): Loaded<readonly FrozenDifference[]> {
  const trpc = useTRPC();
  return loadedOf(useQuery(trpc.releases.frozenDiff.queryOptions({ releaseId })));
}

export const SAMPLE_FILTERS = ["all", "lost", "won", "unscored"] as const;
export type SampleFilter = (typeof SAMPLE_FILTERS)[number];

export interface CellQuestion {
  readonly releaseId: number;
  readonly rowKey: string;
  readonly scorecardId: number;
}
const SAMPLES_PAGE_SIZE = 50;

export interface SamplePages {
  readonly first: SampleDifferencePage;
  readonly items: SampleDifferencePage["items"];
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly more: () => void;
}

/** Common samples of a cell, regressions first; more of them as they are asked for. */
export function useSamples(question: CellQuestion, only: SampleFilter): Loaded<SamplePages> {
  const trpc = useTRPC();
  const query = useInfiniteQuery(
    trpc.releases.samples.infiniteQueryOptions(
      { ...question, only, limit: SAMPLES_PAGE_SIZE },
      { initialCursor: null, getNextPageParam: (page) => page.next ?? undefined },
    ),
  );
  const pages = query.data?.pages;
  const [first] = pages ?? [];
  const data: SamplePages | undefined =
    pages === undefined || first === undefined
      ? undefined
      : {
          first,
          items: pages.flatMap(({ items }) => items),
          hasMore: query.hasNextPage,
          isLoadingMore: query.isFetchingNextPage,
          more: () => void query.fetchNextPage(),
        };
  return loadedOf({ ...query, data });
}

/** One sample with both answers; `null` asks nothing. */
export function useSample(question: CellQuestion, sample: { readonly key: string; readonly epoch: number } | null): Loaded<SampleTexts> {
  const trpc = useTRPC();
  return loadedOf(useQuery(trpc.releases.sample.queryOptions(sample === null ? skipToken : { ...question, ...sample })));
}

/** What a candidate said to the examples of what it breaks, `limit` clusters from `from` on, in one question. */
export function useExampleAnswers(question: {
  readonly releaseId: number;
  readonly scorecardId: number;
  readonly from: number;
  readonly limit: number;
}): Loaded<readonly ExampleAnswer[]> {
  const trpc = useTRPC();
  return loadedOf(useQuery(trpc.releases.answers.queryOptions(question)));
}

interface OfRelease {
  readonly releaseId: number;
}
type OfCell = OfRelease & { readonly scorecardId: number; readonly reason: string };

export interface ReleaseVerbs {
  readonly create: Verb<ReleaseSpecInput, ReleaseSummary>;
  readonly update: Verb<OfRelease & { readonly spec: ReleaseSpecInput }>;
  readonly fixGates: Verb<OfRelease & { readonly gates: GateInput[] }>;
  readonly overrideGate: Verb<OfCell & { readonly gateId: number }>;
  readonly overrideComparison: Verb<OfCell & { readonly rowKey: string }>;
  readonly sign: Verb<OfRelease & { readonly scorecardId: number; readonly role: string; readonly signedAs: string }>;
  readonly remove: Verb<OfRelease>;
}

/** Verbs on releases. Each refreshes what tells of releases, and the audit trail. */
export function useReleaseVerbs(): ReleaseVerbs {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const onSuccess = () =>
    Promise.all([trpc.releases.pathFilter(), trpc.audit.pathFilter()].map((filter) => queries.invalidateQueries(filter)));
  return {
    create: verbOf(useMutation(trpc.releases.create.mutationOptions({ onSuccess }))),
    update: verbOf(useMutation(trpc.releases.update.mutationOptions({ onSuccess }))),
    fixGates: verbOf(useMutation(trpc.releases.fixGates.mutationOptions({ onSuccess }))),
    overrideGate: verbOf(useMutation(trpc.releases.overrideGate.mutationOptions({ onSuccess }))),
    overrideComparison: verbOf(useMutation(trpc.releases.overrideComparison.mutationOptions({ onSuccess }))),
    sign: verbOf(useMutation(trpc.releases.sign.mutationOptions({ onSuccess }))),
    remove: verbOf(useMutation(trpc.releases.delete.mutationOptions({ onSuccess }))),
  };
}

export const RELEASE_FORMS = ["markdown", "csv", "json"] as const;
export type ReleaseForm = (typeof RELEASE_FORMS)[number];

/** The comparison as a file, as it stands at that moment. */
export function useExportRelease(): Verb<OfRelease & { readonly form: ReleaseForm }, SavedFile> {
  const client = useTRPCClient();
  return verbOf(
    useMutation({
      mutationFn: async (input: OfRelease & { readonly form: ReleaseForm }): Promise<SavedFile> => {
        const { name, mediaType, body } = await client.releases.export.query(input);
        return { fileName: name, mediaType, text: body };
      },
    }),
  );
}
