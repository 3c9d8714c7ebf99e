import { randomUUID } from "node:crypto";
import type { Lease, Records } from "@trainwatch/store";

/** One lease that several workers of a process share: what one of them may write, all may. */
export interface LeaseKeeper {
  /** The lease, renewed where it is time; null while another process holds it. */
  renew(): Promise<Lease | null>;
  /** It was found to be lost: the next `renew` asks for it anew. */
  drop(): void;
  release(): Promise<void>;
}

/** A process that dies is followed within so long. */
const TTL_MS = 15_000;
const RENEW_MS = 5_000;

export function createLeaseKeeper(records: Records, name: string, now: () => number): LeaseKeeper {
  const holder = randomUUID();
  let lease: Lease | null = null;
  let renewedAtMs = Number.NEGATIVE_INFINITY;
  let asking: Promise<Lease | null> | null = null;

  const ask = async (): Promise<Lease | null> => {
    try {
      lease = await records.leases.acquire(name, holder, TTL_MS);
      renewedAtMs = now();
      return lease;
    } finally {
      asking = null;
    }
  };
  return {
    async renew() {
      if (lease !== null && now() - renewedAtMs < RENEW_MS) return lease;
      asking ??= ask();
      return asking;
    },
    drop() {
      lease = null;
    },
    async release() {
      const held = lease;
      lease = null;
      if (held !== null) await records.leases.release(held).catch(() => undefined);
    },
  };
}
