import { pciAddress } from "../../pci-address.ts";
import type { HealthEventParts } from "../../contract.ts";

/** What rules know beside the line. */
export interface KernelWorld {
  /** `nodeKey` of the node; undefined where nobody has told it. */
  readonly node: string | undefined;
  /** UUID of the GPU at a PCI address, where the driver has told it in this log. */
  uuidAt(address: string): string | undefined;
}

/** An event of one line's text, or null. */
export type KernelRule = (text: string, world: KernelWorld) => HealthEventParts | null;

/** The GPU at a PCI address as an event names it; null where the text is no address. */
export function gpuAt(text: string | undefined, world: KernelWorld): HealthEventParts["entity"] {
  const address = text === undefined ? null : pciAddress(text);
  return address === null ? null : { kind: "gpu", id: world.uuidAt(address) ?? `pci:${address}` };
}
