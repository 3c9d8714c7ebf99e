import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "./trpc.ts";

/**
 * Milliseconds to add to this browser's clock to get the server's. Ages ("2 s ago") are measured on the server's clock: a laptop
 * that is five minutes wrong must not make a healthy run look silent. 0 until the first status.
 */
export function useClockOffsetMs(): number {
  const trpc = useTRPC();
  // Reads what the status poll brought; asks nothing by itself.
  const status = useQuery(trpc.status.get.queryOptions(undefined, { enabled: false }));
  return status.data === undefined ? 0 : status.data.nowMs - status.dataUpdatedAt;
}
