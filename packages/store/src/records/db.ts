import type { Prisma } from "../generated/client.ts";

/** A Prisma client or a transaction of one. It stays within this folder. */
export type Db = Prisma.TransactionClient;
