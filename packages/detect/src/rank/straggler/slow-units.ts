import type { RankLayout } from "../rank-layout.ts";
import type { TimeRules } from "./rules.ts";
import { followTimeRecord, openTimeRecord } from "./time-record.ts";
import type { StepFacts, TimeRecord } from "./time-record.ts";
import type { TimeTrack } from "./time-track.ts";

interface Around {
  readonly track: TimeTrack;
  readonly rules: TimeRules;
  readonly layout: RankLayout;
  readonly at: StepFacts;
  readonly ranks: number;
  /** In force on the track's scale. */
  readonly material: number;
  /** Step at which many turned slow at once; null where none did. Who follows within a few steps belongs to them. */
  readonly crowdStep: number | null;
  /** So large a share of a node's ranks is the node; null where what is judged are no ranks. */
  readonly nodeShare: number | null;
}

export interface FollowedUnits {
  /** New, or worth telling again. */
  readonly changed: readonly TimeRecord[];
  /** So many turned slow at once that no single one is at fault; then none is opened. */
  readonly crowd: number | null;
}

/** Always so many at once; ranks or nodes that turn slow within so many steps do so together. */
const FEW = 8;
const TOGETHER = 64;
/** Steps between two looks at the standing offsets. */
const STANDING_EVERY = 64;

/**
 * Follows what is slow and opens what has become so. A node stands for its ranks where most of them are slow together: what slows a node is one cause.
 *
 * @param open records that go on; new ones are added
 */
export function followUnits(around: Around, open: TimeRecord[], alarms: readonly number[]): FollowedUnits {
  const { track, at, material, rules, ranks } = around;
  const changed = new Set<TimeRecord>();
  for (const record of open) if (followTimeRecord(record, track, at, material)) changed.add(record);
  for (const record of changed) if (record.state === "recovered") for (const rank of record.ranks) track.reset(rank);
  const covered = new Set(open.filter(({ state }) => state === "ongoing").flatMap((record) => record.ranks));
  const judged = track.judged();
  const standing = judged > rules.warm_up && judged % STANDING_EVERY === 0 ? track.standing(material) : [];
  const fresh: TimeRecord[] = [];
  for (const [rank, isStanding] of [...alarms.map((one) => [one, false] as const), ...standing.map((one) => [one, true] as const)]) {
    if (covered.has(rank)) continue;
    const record = openTimeRecord(track, at, unitOf(around, rank, isStanding), rank, isStanding);
    for (const one of record.ranks) covered.add(one);
    fresh.push(record);
  }
  const recent = open.filter((record) => at.step - record.detectedStep <= TOGETHER);
  const together = fresh.length + recent.length;
  const isLate = around.crowdStep !== null && at.step - around.crowdStep <= TOGETHER;
  const isCrowd = fresh.length > 0 && (isLate || together > Math.max(Math.min(FEW, ranks / 4), rules.crowd * ranks));
  if (isCrowd) {
    for (const record of recent) {
      record.crowd = together;
      changed.add(record);
    }
    // Where so many stand now is where they belong.
    for (const record of fresh) for (const rank of record.ranks) track.forget(rank);
  }
  const kept = isCrowd ? [] : fresh;
  for (const record of kept) changed.add(record);
  open.push(...kept);
  return { changed: [...changed], crowd: isCrowd && !isLate ? together : null };
}

function unitOf(
  { track, rules, layout, material, nodeShare }: Around,
  rank: number,
  standing: boolean,
): Pick<TimeRecord, "kind" | "id" | "ranks"> {
  const nodeId = layout.placement(rank)?.nodeId ?? null;
  const alone = { kind: "rank", id: String(rank), ranks: [rank] } as const;
  if (nodeId === null || nodeShare === null) return alone;
  const mates = layout.onNode(nodeId).filter((mate) => !Number.isNaN(track.z(mate)));
  const isSlow = (mate: number): boolean =>
    standing ? track.offset(mate) >= material / 2 : track.sum(mate) >= rules.h / 2 && track.excess(mate) >= material / 2;
  const slow = mates.filter(isSlow);
  return slow.length >= 2 && slow.length >= nodeShare * mates.length ? { kind: "node", id: nodeId, ranks: slow } : alone;
}
