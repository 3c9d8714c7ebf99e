/**
 * A PCI address as Trainwatch writes it, `0000:3b:00`: domain, bus and device in lower case, the function left out. Reads `0000:3b:00.0`, `00000000:3B:00.0`
 * (nvidia-smi) and `3b:00.0`; null for anything else. @param text the address alone
 */
export function pciAddress(text: string): string | null {
  const found = /^(?:([0-9a-f]{4,8}):)?([0-9a-f]{2}):([0-9a-f]{2})(?:\.[0-7])?$/i.exec(text);
  if (found === null) return null;
  const [, domain = "0", bus = "", device = ""] = found;
  return `${domain.replace(/^0+/, "").padStart(4, "0")}:${bus}:${device}`.toLowerCase();
}
