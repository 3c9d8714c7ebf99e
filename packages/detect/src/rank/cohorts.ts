import type { RankPlacement } from "@trainwatch/core";

/**
 * Ranks that do the same work on other data: data-parallel peers with the same pipeline stage, tensor rank and expert group. Only they are exchangeable
 * (detection.md B.4), so only they are compared.
 */
export interface Cohorts {
  /** Tells layouts apart: columns that were learned under one mean nothing under another. */
  readonly layout: string;
  /** What the cohorts share, such as "pipeline stage, tensor rank"; null where no layout is known and all ranks are one cohort. */
  readonly by: string | null;
  /** Why they are not what detection.md asks for, in a sentence without a full stop; null where they are. */
  readonly caveat: string | null;
  /** Whether the caveat forbids judging at all. */
  readonly disabled: boolean;
  /** Ranks that the layout does not place. */
  readonly unplaced: number;
  /** Cohort of each rank, -1 where it has none; of a rank beyond the column likewise. */
  readonly of: Int32Array;
  readonly count: number;
  /** Members of cohort c: `members[starts[c]..starts[c+1])`, ascending. */
  readonly members: Int32Array;
  readonly starts: Int32Array;
}

/** Fewer peers than this do not say what is usual: a median and a MAD of them mostly show chance (detection.md B.4: P(z > 7) is 1.2e-3 with 8). */
export const LEAST_PEERS = 8;

interface Level {
  readonly by: string;
  readonly merged: string | null;
  key(placement: RankPlacement): string;
}

const part = (value: number | null): string => (value === null ? "-" : String(value));

/** From the finest to the coarsest. Tensor ranks first: they hold parts of the same layers, and a standing offset takes up what differs. */
const LEVELS: readonly Level[] = [
  { by: "pipeline stage, tensor rank and expert group", merged: null, key: ({ pp, tp, ep }) => `${part(pp)}/${part(tp)}/${part(ep)}` },
  { by: "pipeline stage and expert group", merged: "tensor ranks", key: ({ pp, ep }) => `${part(pp)}/${part(ep)}` },
  { by: "pipeline stage", merged: "tensor ranks and expert groups", key: ({ pp }) => part(pp) },
  { by: "run", merged: "tensor ranks, expert groups and pipeline stages", key: () => "" },
];

/** Fewer replicas than this, and values that belong to a replica have no peers however many ranks log them. */
const LEAST_REPLICAS = 4;
/** Ranks of cohorts that are too small may be so large a share and be left out; from there on cohorts are merged. */
const MOST_LEFT_OUT = 0.1;

/**
 * @param ranks the largest rank seen plus one
 * @param independent whether members must be of different replicas: the loss of tensor ranks of one replica is one reading, however often it is logged
 */
export function cohortsOf(placements: readonly RankPlacement[], ranks: number, independent: boolean): Cohorts {
  const placed = placements.filter(({ dp, tp, pp, ep }) => (dp ?? tp ?? pp ?? ep) !== null);
  if (placed.length === 0) return unplacedCohort(ranks);
  const replicas = new Set(placed.map(({ dp }) => part(dp))).size;
  for (const level of LEVELS) {
    const groups = grouped(placed, level);
    const large = groups.filter((group) => group.length >= LEAST_PEERS);
    const left = placed.length - large.reduce((sum, group) => sum + group.length, 0);
    if (left > MOST_LEFT_OUT * placed.length) continue;
    const few = independent && level.merged !== null && replicas < LEAST_REPLICAS;
    const merged = level.merged === null ? null : `${level.merged} are merged, since fewer than ${LEAST_PEERS} data-parallel peers exist`;
    return columnsOf(large, ranks, {
      layout: layoutOf(placed, level),
      by: level.by,
      caveat: few ? `only ${replicas} replicas: fewer than ${LEAST_REPLICAS} do not say what is usual` : merged,
      disabled: few,
    });
  }
  return tooFew(placed.length, ranks);
}

function unplacedCohort(ranks: number): Cohorts {
  if (ranks < LEAST_PEERS) return tooFew(ranks, ranks);
  const caveat = "no layout is known, so all ranks are one cohort";
  const all = Array.from({ length: ranks }, (_, rank) => rank);
  return columnsOf([all], ranks, { layout: "unplaced", by: null, caveat, disabled: false });
}

function tooFew(reporting: number, ranks: number): Cohorts {
  const caveat = `too few ranks: ${reporting}, and fewer than ${LEAST_PEERS} peers do not say what is usual`;
  return columnsOf([], ranks, { layout: "few", by: null, caveat, disabled: true });
}

function grouped(placed: readonly RankPlacement[], level: Level): readonly (readonly number[])[] {
  const groups = new Map<string, number[]>();
  for (const placement of placed) {
    const key = level.key(placement);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [placement.rank]);
    else group.push(placement.rank);
  }
  return [...groups.values()];
}

function columnsOf(
  groups: readonly (readonly number[])[],
  ranks: number,
  facts: Pick<Cohorts, "layout" | "by" | "caveat" | "disabled">,
): Cohorts {
  const of = new Int32Array(ranks).fill(-1);
  const starts = new Int32Array(groups.length + 1);
  const members: number[] = [];
  for (const [cohort, group] of groups.entries()) {
    for (const rank of [...group].sort((a, b) => a - b)) {
      if (rank >= ranks) continue;
      members.push(rank);
      of[rank] = cohort;
    }
    starts[cohort + 1] = members.length;
  }
  return { ...facts, of, unplaced: ranks - members.length, count: groups.length, members: Int32Array.from(members), starts };
}

function layoutOf(placed: readonly RankPlacement[], level: Level): string {
  return `${level.by} ${layoutHash(placed, level.key)}`;
}

/** FNV-1a, 32 bit, over who is in which group: large fleets are hashed at each change of layout, so not by `textHash`. */
export function layoutHash(placed: Iterable<RankPlacement>, keyOf: (placement: RankPlacement) => string): string {
  let hash = 0x811c9dc5;
  for (const placement of placed) {
    const text = `${placement.rank}:${keyOf(placement)};`;
    for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0).toString(16);
}
