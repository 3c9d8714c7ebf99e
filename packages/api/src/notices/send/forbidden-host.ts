import { BlockList, isIP } from "node:net";

/** Addresses at which a cloud tells a machine its own credentials, and those that only mean something on one cable. */
const LINK_LOCAL = new BlockList();
LINK_LOCAL.addSubnet("169.254.0.0", 16, "ipv4");
LINK_LOCAL.addSubnet("fe80::", 10, "ipv6");
/** AWS, Google, Alibaba, Azure and Oracle answer there too. */
LINK_LOCAL.addAddress("fd00:ec2::254", "ipv6");
LINK_LOCAL.addAddress("fd20:ce::254", "ipv6");
LINK_LOCAL.addAddress("100.100.100.200", "ipv4");
LINK_LOCAL.addAddress("168.63.129.16", "ipv4");
LINK_LOCAL.addAddress("192.0.0.192", "ipv4");
/** NAT64 (RFC 6052) and 6to4 (RFC 3056): the same IPv4 addresses, by way of a translator. */
LINK_LOCAL.addSubnet("64:ff9b::a9fe:0", 112, "ipv6");
LINK_LOCAL.addSubnet("2002:a9fe::", 32, "ipv6");

const METADATA_NAMES = new Set(["metadata", "metadata.google.internal", "instance-data", "instance-data.ec2.internal"]);

/**
 * Why nothing is ever sent to a host; null where it may be. Whoever may set up a channel must not be able to read a cloud's metadata service by it. Private and loopback
 * addresses are fine: receivers of a training cluster mostly stand there.
 * @param host a name, or an address with or without the brackets of a URL
 */
export function forbiddenHost(host: string): string | null {
  const bare = host.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  if (METADATA_NAMES.has(bare.replace(/\.$/, ""))) return "it is a cloud's metadata service";
  return isForbiddenAddress(bare) ? "it is an address at which clouds keep their metadata service" : null;
}

/** Of an address that a name has led to. */
export function isForbiddenAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 0) return false;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return LINK_LOCAL.check(mapped, "ipv4");
  return LINK_LOCAL.check(address, family === 4 ? "ipv4" : "ipv6");
}
