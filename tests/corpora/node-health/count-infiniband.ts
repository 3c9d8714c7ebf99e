import { add, type Tally } from "./count-smi.ts";

/** Rates as the fabric's people say them. */
const GIGABITS: Readonly<Record<string, number>> = { "4xEDR": 100, "4xHDR": 200, "4x EDR": 100, "4x HDR": 200 };
const RATE = "node_infiniband_rate_bytes_per_second";

/** Lines of the tools, counted by one regular expression each. */
export function countTools(text: string, tally: Tally): void {
  for (const [, name = "", value = ""] of text.matchAll(/^(\w+):\.+(\d+)$/gm)) {
    if (!/Select/.test(name))
      add(tally, name.endsWith("Data") ? "data" : "counter", Number(value) * (/^Port(?:Xmit|Rcv)Data$/.test(name) ? 4 : 1));
  }
  for (const [line] of text.matchAll(/^(?:CA|SW) .*$/gm)) {
    const isUp = / - (?:CA|SW) /.test(line);
    add(tally, "infiniband_link_up", isUp ? 1 : 0);
    if (isUp) add(tally, RATE, ((GIGABITS[/4x \w+/.exec(line)?.[0] ?? ""] ?? 0) * 1e9) / 8);
  }
  for (const [line] of text.matchAll(/^\[\d+\].*lid.*$/gm)) {
    add(tally, "infiniband_link_up", 1);
    add(tally, RATE, ((GIGABITS[/4x[A-Z]+/.exec(line)?.[0] ?? ""] ?? 0) * 1e9) / 8);
  }
  for (const [, name = "", value = ""] of text.matchAll(/^ *([\w# ()]+?) *\| (OK|ERROR|\d+)$/gm)) {
    if (/status|DC power/.test(name)) add(tally, "switch ok", value === "OK" ? 1 : 0);
    else if (/rpm|\(C\)|\(W\)/.test(name)) add(tally, "switch number", Number(value));
  }
  for (const [, days = "", hours = "", minutes = "", seconds = ""] of text.matchAll(/\| (\d+)d-(\d+):(\d+):(\d+)$/gm)) {
    add(tally, "switch number", ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds));
  }
  for (const _ of text.matchAll(/^[0-9a-f]{16}$/gm)) add(tally, "infiniband_node_info", 1);
}

/** What our names come to in the words of {@link countTools}. */
export function toolName(name: string): string {
  if (name === RATE || name === "infiniband_link_up" || name === "infiniband_node_info") return name;
  if (name.startsWith("infiniband_switch_")) return name.endsWith("_ok") ? "switch ok" : "switch number";
  return /port_data_/.test(name) ? "data" : "counter";
}

/** A map of `/sys`, by JSON.parse and the ends of the paths. */
export function countSysfs(text: string, tally: Tally): void {
  const files: Record<string, string> = JSON.parse(text);
  const cards = new Set<string>();
  for (const [path, raw] of Object.entries(files)) {
    const content = raw.trim();
    const isPort = path.includes("/infiniband/") && path.includes("/ports/");
    if (isPort && path.endsWith("/state")) add(tally, "node_infiniband_state_id", Number.parseInt(content, 10));
    if (isPort && path.endsWith("/phys_state")) add(tally, "node_infiniband_physical_state_id", Number.parseInt(content, 10));
    if (isPort && path.endsWith("/rate")) add(tally, RATE, Number.parseFloat(content) * 125_000_000);
    if (path.includes("/net/") && path.endsWith("/operstate") && content !== "unknown")
      add(tally, "node_network_up", content === "up" ? 1 : 0);
    if (path.includes("/net/") && path.endsWith("/carrier") && content !== "") add(tally, "node_network_carrier", Number(content));
    if (path.includes("/infiniband/") && path.endsWith("/board_id")) cards.add(path);
  }
  for (const _ of cards) add(tally, "node_infiniband_info", 1);
}
