import type { Lease, Records } from "@trainwatch/store";

/** Another process has taken the lease: nothing was written. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}

/** The run is not what it was when we looked: nothing was written, and it is to be looked at again. */
export class RunMoved extends Error {
  override readonly name = "RunMoved";
}

/** Every transaction of a detector that writes begins with it. @throws LeaseLost */
export async function demand(records: Records, lease: Lease): Promise<void> {
  if (!(await records.leases.holds(lease))) throw new LeaseLost(`lease ${lease.name} is held by another process`);
}
