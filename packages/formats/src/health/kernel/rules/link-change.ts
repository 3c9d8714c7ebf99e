import { nodeThing } from "../../contract.ts";
import { eventText } from "../../event-text.ts";
import type { KernelRule, KernelWorld } from "./rule.ts";

/** Drivers of cards that carry training traffic; the link of a management port is nobody's business here. */
const DRIVERS = "mlx4_core|mlx4_en|mlx5_core|mlx5_ib|bnxt_en|ice|irdma|qede|cxgb4|efa|ionic";
/** `mlx5_core 0000:5e:00.0 ens3f0np0: Link down`, `bnxt_en 0000:19:00.0 ens1f0np0: NIC Link is Down`. */
const ETHERNET = new RegExp(String.raw`^(?:${DRIVERS}) ([0-9a-f:.]+)(?: ([\w.-]{1,32}))?: (?:NIC )?Link (?:is )?(up|down)\b`, "i");
/** `infiniband mlx5_0: Port 1 link down`, `mlx4_core 0000:03:00.0: Port 1 link down`. */
const PORT = /^(?:infiniband|mlx[45]_\w+|<mlx4_ib>) ([\w:.]{1,32}): .*?\bport:? (\d{1,3})\b.{0,20}\blink (up|down|active)\b/i;
/** `hfi1 0000:45:00.0: hfi1_0: 8051: Link up`. */
const OMNI_PATH = /^hfi1 [0-9a-f:.]+: (hfi1_\d+): .*\bLink (up|down)\b/i;
/** `IPv6: ADDRCONF(NETDEV_CHANGE): ib0: link becomes ready`: of InfiniBand only, containers' interfaces come and go. */
const READY = /^IPv6: ADDRCONF\(NETDEV_CHANGE\): (ib[\w.-]{1,31}): link becomes ready/;
/** `mlx5_core 0000:5e:00.0: Port module event: module 0, Cable unplugged`, `Port module event[error]: module 0, Cable error, High Temperature`. */
const MODULE = /^mlx5_core ([0-9a-f:.]+)(?: ([\w.-]{1,32}))?: (Port module event.*?module \d+, Cable (unplugged|plugged|error).*)$/i;

/** Ports that come and go. Devices are named as the line does it: InfiniBand device and port, network interface, or PCI address. */
export const linkChange: KernelRule = (text, world) => {
  const [, address, netdev, state] = ETHERNET.exec(text) ?? [];
  if (state !== undefined) return change(netdev ?? address ?? "", state, text, world);
  const [, device, port, ibState] = PORT.exec(text) ?? [];
  if (ibState !== undefined) return change(`${device}:${port}`, ibState, text, world);
  const [, hfi, hfiState] = OMNI_PATH.exec(text) ?? [];
  if (hfiState !== undefined) return change(`${hfi}:1`, hfiState, text, world);
  const ready = READY.exec(text)?.[1];
  if (ready !== undefined) return change(ready, "up", text, world);
  const [, card, interfaceName, , cable] = MODULE.exec(text) ?? [];
  if (cable === undefined) return null;
  const where = interfaceName ?? card ?? "";
  if (cable.toLowerCase() !== "error")
    return { ...change(where, cable.toLowerCase() === "plugged" ? "up" : "down", text, world), subCode: "cable" };
  return { kind: "kernel", code: null, subCode: "cable error", severity: "warning", entity: portOf(where, world), text: eventText(text) };
};

function change(port: string, state: string, text: string, world: KernelWorld): NonNullable<ReturnType<KernelRule>> {
  const isDown = state.toLowerCase() === "down";
  return {
    kind: isDown ? "link-down" : "link-up",
    code: null,
    subCode: null,
    severity: isDown ? "warning" : "info",
    entity: portOf(port, world),
    text: eventText(text),
  };
}

function portOf(port: string, { node }: KernelWorld): { readonly kind: "port"; readonly id: string } {
  return { kind: "port", id: nodeThing(node, `port/${port}`) };
}
