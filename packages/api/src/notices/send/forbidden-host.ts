import { BlockList, isIP } from "node:net";

/** Addresses at which a cloud tells a machine its own credentials, and those that only mean something on one cable. */
const LINK_LOCAL = new BlockList();
LINK_LOCAL.addSubnet("169.254.0.0", 16, "ipv4");
LINK_LOCAL.addSubnet("fe80::", 10, "ipv6");
/** AWS and Alibaba answer there too. */
LINK_LOCAL.addAddress("fd00:ec2::254", "ipv6");
LINK_LOCAL.addAddress("100.100.100.200", "ipv4");

const METADATA_NAMES = new Set(["metadata", "metadata.google.internal", "instance-data", "instance-data.ec2.internal"]);

/**
 * Why nothing is ever sent to a host; null where it may be. Whoever may set up a channel must not be able to read a cloud's metadata service by it. Private and loopback
 * addresses are fine: receivers of a training cluster mostly stand there.
 * @param host a name, or an address with or without the brackets of a URL
 */
export function forbiddenHost(host: string): string | null {
  const bare = host.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  if (METADATA_NAMES.has(bare.replace(/\.$/, ""))) return "it is a cloud's metadata service";
  return isForbiddenAddress(bare) ? "it is a link-local address, where clouds keep their metadata service" : null;
}

/** Of an address that a name has led to. */
export function isForbiddenAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 0) return false;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return LINK_LOCAL.check(mapped, "ipv4");
  return LINK_LOCAL.check(address, family === 4 ? "ipv4" : "ipv6");
}
