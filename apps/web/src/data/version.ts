import { useState } from "react";
import { useStatus } from "./system.ts";
import { dataOf } from "./loaded.ts";

/** The version of a server newer (or older) than the one this page came from; null while they agree. */
export function useOtherVersion(): string | null {
  const version = dataOf(useStatus())?.version ?? null;
  const [first, setFirst] = useState(version);
  if (first === null && version !== null) setFirst(version);
  return first !== null && version !== null && version !== first ? version : null;
}
