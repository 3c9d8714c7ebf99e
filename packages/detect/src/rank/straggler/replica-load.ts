import { medianInPlace } from "@trainwatch/stats";
import { LEAST_PEERS } from "../cohorts.ts";
import type { Cohorts } from "../cohorts.ts";
import type { RankLayout } from "../rank-layout.ts";

/** A slow node must be a minority of its replica, or the replica's median would take its slowness for load. */
const LEAST_NODES = 3;

/**
 * What each rank should take by the load of its replica, as a ratio, where no sequence load is logged: ranks of one replica work on the same sequences, so the median of
 * their times over those of their cohorts shows how long these are. 1 for ranks of replicas that are too small to show it.
 *
 * @param seconds one a rank; null is answered where no replica spans enough ranks and nodes
 */
export function replicaLoads(seconds: Float64Array, cohorts: Cohorts, layout: RankLayout): Float64Array | null {
  const replicas = layout.replicas(LEAST_PEERS, LEAST_NODES);
  if (replicas.length === 0) return null;
  const ratios = seconds.map((value) => (value > 0 ? value : Number.NaN));
  const scratch = new Float64Array(seconds.length);
  const medianOver = (ranks: Iterable<number>): number => {
    let count = 0;
    for (const rank of ranks) {
      const ratio = ratios[rank] ?? Number.NaN;
      if (Number.isFinite(ratio)) scratch[count++] = ratio;
    }
    return medianInPlace(scratch, count);
  };
  for (let cohort = 0; cohort < cohorts.count; cohort++) {
    const members = cohorts.members.subarray(cohorts.starts[cohort], cohorts.starts[cohort + 1]);
    const centre = medianOver(members);
    for (const rank of members) if (rank < ratios.length) ratios[rank] = (ratios[rank] ?? Number.NaN) / centre;
  }
  const usual = new Float64Array(seconds.length).fill(1);
  for (const replica of replicas) {
    const load = medianOver(replica);
    if (!(load > 0)) continue;
    for (const rank of replica) if (rank < usual.length) usual[rank] = load;
  }
  return usual;
}
