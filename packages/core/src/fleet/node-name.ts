import type { NodeName, RawLabels } from "./series-identity.ts";

/** Labels that name the machine for good, as our agent and OpenTelemetry's resource detector write them. */
const MACHINE_LABELS = ["machine_id", "host_id", "host.id"] as const;
/** Labels that somebody has set to say which node it is; the first that is there counts. */
const NODE_LABELS = ["node", "nodename", "kubernetes_node", "k8s_node_name", "k8s.node.name"] as const;
const HOST_LABELS = ["Hostname", "hostname", "host_name", "host.name", "host"] as const;

const RACK_LABEL = "rack";

/** Labels that name a node, or where it stands, and tell no series of it apart. */
export const NODE_NAME_LABELS: readonly string[] = [...MACHINE_LABELS, ...NODE_LABELS, ...HOST_LABELS, RACK_LABEL];

/**
 * The node that labels name; null where none does. dcgm-exporter writes its own pod's name as `Hostname` under Kubernetes (dcgm-exporter#78,
 * #490): a pod comes and goes and is no host, so a node label comes first, then a host name that is no exporter pod, then the scraped address,
 * unless that is the scraper's own machine as every machine calls itself.
 */
export function nodeName(labels: RawLabels): NodeName | null {
  const machineId = firstOf(labels, MACHINE_LABELS, () => true);
  const host =
    // node_exporter numbers NUMA nodes by the label `node`: a bare number names no machine.
    firstOf(labels, NODE_LABELS, (value) => !/^\d+$/.test(value)) ??
    firstOf(labels, HOST_LABELS, (value) => !isExporterPod(value, labels)) ??
    hostOfInstance(labels["instance"]);
  if (machineId === null && host === null) return null;
  const rack = labels[RACK_LABEL] ?? "";
  return { machineId, host: host === null ? null : hostName(host), ...(rack === "" ? {} : { rack }) };
}

/** A node's part of an entity id: its machine id, or `name:<host>` as long as nobody has told it. */
export function nodeKey({ machineId, host }: NodeName): string {
  return machineId ?? `name:${hostName(host ?? "")}`;
}

/** A host as we write it. The kernel keeps the case that somebody typed, a scrape target has that of somebody else, and DNS knows none (RFC 4343): one machine must not become two. */
export function hostName(text: string): string {
  return text.toLowerCase();
}

function firstOf(labels: RawLabels, names: readonly string[], accepts: (value: string) => boolean): string | null {
  for (const name of names) {
    const value = labels[name];
    if (value !== undefined && value !== "" && accepts(value)) return value;
  }
  return null;
}

/** `nvidia-dcgm-exporter-s228n`; or the pod that Prometheus has scraped, where the workload's own pod was moved to `exported_pod`. */
function isExporterPod(host: string, labels: RawLabels): boolean {
  return /exporter/i.test(host) || (labels["exported_pod"] !== undefined && labels["pod"] === host);
}

/** `c11-n07:9400` and `[fe80::1]:9400` without the port. */
function hostOfInstance(instance: string | undefined): string | null {
  if (instance === undefined || instance === "") return null;
  const withoutScheme = instance.replace(/^https?:\/\//, "").replace(/\/.*$/, "");
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(withoutScheme);
  if (bracketed?.[1] !== undefined) return isLoopback(bracketed[1]) ? null : bracketed[1];
  // More than one colon without brackets is an IPv6 address and has no port.
  const host = /^[^:]+:\d+$/.test(withoutScheme) ? withoutScheme.slice(0, withoutScheme.lastIndexOf(":")) : withoutScheme;
  return host === "" || isLoopback(host) ? null : host;
}

/** `localhost:9100` is another machine for each Prometheus that scrapes it. */
function isLoopback(host: string): boolean {
  return /^(localhost(\.localdomain)?|127(\.\d{1,3}){3}|::1)$/i.test(host);
}
