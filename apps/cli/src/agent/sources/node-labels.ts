import type { NodeIdentity } from "../node-identity.ts";

/**
 * Labels that say where a reading comes from: every series of an agent has them, and they win over an exporter's own. The host is `nodename`:
 * `node` is what node_exporter numbers NUMA nodes by.
 */
export function nodeLabels({ machineId, host, rack }: NodeIdentity, job: string, instance: string): Readonly<Record<string, string>> {
  const place = rack === undefined ? {} : { rack };
  return { job, instance, nodename: host, ...(machineId === null ? {} : { machine_id: machineId }), ...place };
}
