import type { TokenView } from "@trainwatch/core";
import { textTable } from "./frame/text-table.ts";

export function tokenTable(tokens: readonly TokenView[]): string {
  if (tokens.length === 0) return "There are no tokens. `trainwatch token create NAME --scope ingest` makes one.\n";
  const rows = tokens.map(({ id, name, scopes, prefix, createdAtMs, lastUsedAtMs, revokedAtMs }) => [
    String(id),
    name,
    scopes.join(","),
    `${prefix}…`,
    utc(createdAtMs),
    lastUsedAtMs === null ? "never" : utc(lastUsedAtMs),
    revokedAtMs === null ? "live" : `revoked ${utc(revokedAtMs)}`,
  ]);
  return textTable(["id", "name", "scopes", "token", "made (UTC)", "last used (UTC)", "state"], rows);
}

function utc(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16).replace("T", " ");
}
