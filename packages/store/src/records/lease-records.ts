import type { Db } from "./db.ts";

export interface Lease {
  readonly name: string;
  readonly holder: string;
  /** Rises with every change of holder: what an earlier holder still writes is refused by it. */
  readonly fence: number;
}

/** Times are the database's: the clocks of two servers may differ, and only one of them counts. */
export interface LeaseRecords {
  /** Takes a lease that is free or over, or renews one's own (the fence stays); null while another holds it. */
  acquire(name: string, holder: string, ttlMs: number): Promise<Lease | null>;
  /** Whether the lease is still this one; locks it until the transaction ends, so that nobody takes it over in between. */
  holds(lease: Lease): Promise<boolean>;
  release(lease: Lease): Promise<void>;
}

export function createLeaseRecords(db: Db): LeaseRecords {
  return {
    async acquire(name, holder, ttlMs) {
      const rows = await db.$queryRaw<{ fence: number }[]>`
        INSERT INTO lease AS held (name, holder, fence, expires_at_ms)
        VALUES (${name}, ${holder}, 1, extract(epoch FROM clock_timestamp()) * 1000 + ${ttlMs})
        ON CONFLICT (name) DO UPDATE SET
          holder = excluded.holder,
          fence = held.fence + CASE WHEN held.holder = excluded.holder THEN 0 ELSE 1 END,
          expires_at_ms = excluded.expires_at_ms
        WHERE held.holder = excluded.holder OR held.expires_at_ms < extract(epoch FROM clock_timestamp()) * 1000
        RETURNING fence`;
      const fence = rows[0]?.fence;
      return fence === undefined ? null : { name, holder, fence };
    },
    async holds({ name, holder, fence }) {
      const rows = await db.$queryRaw<
        unknown[]
      >`SELECT 1 FROM lease WHERE name = ${name} AND holder = ${holder} AND fence = ${fence} FOR SHARE`;
      return rows.length === 1;
    },
    async release({ name, holder, fence }) {
      // The row stays, so that the fence goes on rising.
      await db.lease.updateMany({ where: { name, holder, fence }, data: { expiresAtMs: 0 } });
    },
  };
}
