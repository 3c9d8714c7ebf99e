import { describe, expect, it } from "vitest";
import { identifySeries } from "./identify.ts";

const UUID = "GPU-473571f2-fb37-ef7e-50fe-9885b74a23cd";

describe("the node of a series", () => {
  it.each(["localhost:9100", "127.0.0.1:9100", "[::1]:9100", "::1", "http://localhost:9100/metrics"])(
    "is not named by the address %s, which every machine has for itself",
    (instance) => {
      expect(identifySeries("node_load1", { instance, job: "node" }).node).toBe(null);
      expect(identifySeries("node_load1", { instance, nodename: "c11-n07" }).node).toEqual({ machineId: null, host: "c11-n07" });
    },
  );

  it.each(["c11-n07:9100", "10.0.0.1:9100", "[fe80::1]:9100"])("is named by the address %s", (instance) => {
    expect(identifySeries("node_load1", { instance, job: "node" }).node?.host).toBe(instance.replace(/:9100$|[[\]]/g, "").replace("]", ""));
  });

  it("is the same in whatever case it is written: the kernel keeps the case that somebody typed, a scrape target has another's", () => {
    const labels = { gpu: "0", UUID, job: "dcgm" };
    const spellings = [
      { Hostname: "GPU-A07.Example" },
      { node: "gpu-a07.example" },
      { instance: "GPU-A07.EXAMPLE:9400" },
      { host: "gpu-a07.example" },
    ];
    const hosts = spellings.map((spelling) => identifySeries("DCGM_FI_DEV_GPU_TEMP", { ...labels, ...spelling }).node?.host);
    expect([...new Set(hosts)]).toEqual(["gpu-a07.example"]);
    const ports = ["IB-07", "ib-07"].map((nodename) =>
      identifySeries("node_infiniband_state_id", { nodename, device: "mlx5_0", port: "1" }),
    );
    expect(ports[0]?.entity).toEqual(ports[1]?.entity);
    // A machine id is text of whoever gave it.
    expect(identifySeries("node_load1", { machine_id: "4C4C4544", instance: "x:1" }).node?.machineId).toBe("4C4C4544");
  });
});

describe("identity of a GPU's series", () => {
  it("E2: the same GPU before and after the exporter's upgrade is one series", () => {
    const before = identifySeries("DCGM_FI_DEV_GPU_TEMP", {
      gpu: "0",
      UUID,
      device: "nvidia0",
      modelName: "NVIDIA H100 80GB HBM3",
      Hostname: "c11-n07",
      DCGM_FI_DRIVER_VERSION: "590.48.01",
      instance: "c11-n07:9400",
      job: "dcgm",
    });
    const after = identifySeries("DCGM_FI_DEV_GPU_TEMP_CELSIUS", {
      gpu: "0",
      UUID,
      pci_bus_id: "00000000:3B:00.0",
      device: "nvidia0",
      modelName: "NVIDIA H100 80GB HBM3",
      hostname: "c11-n07",
      DCGM_FI_SYSTEM_DRIVER_VERSION: "595.1",
      pod: "train-0",
      instance: "c11-n07:9400",
      job: "dcgm",
    });
    expect(after.key).toBe(before.key);
    expect(after.node).toEqual(before.node);
    expect(after.metric).toBe("DCGM_FI_DEV_GPU_TEMP_CELSIUS");
    expect(before.attributes).toEqual([
      { name: "driver", value: "590.48.01" },
      { name: "index", value: "0" },
      { name: "model", value: "NVIDIA H100 80GB HBM3" },
    ]);
  });

  it("E2: a link metric with gpu_uuid and model_name is a link of the same GPU", () => {
    const { entity, attributes, labels } = identifySeries("DCGM_FI_DEV_NVLINK_TX_THROUGHPUT_PER_LINK", {
      gpu_uuid: UUID,
      gpu: "0",
      nvlink: "5",
      model_name: "NVIDIA H100 80GB HBM3",
      hostname: "c11-n07",
    });
    expect(entity).toEqual({ kind: "link", id: `${UUID}/link/5` });
    expect(labels).toEqual({});
    expect(attributes).toContainEqual({ name: "model", value: "NVIDIA H100 80GB HBM3" });
    const byName = identifySeries("DCGM_FI_DEV_NVLINK_TX_BANDWIDTH_L5", { UUID, gpu: "0", Hostname: "c11-n07" });
    expect(byName.entity).toEqual(entity);
  });

  it("a label `rack` says where the node stands and tells no series apart", () => {
    const labels = { UUID, gpu: "0", hostname: "c11-n07" };
    const [plain, placed] = [
      identifySeries("DCGM_FI_DEV_GPU_TEMP", labels),
      identifySeries("DCGM_FI_DEV_GPU_TEMP", { ...labels, rack: "C11" }),
    ];
    expect(placed.node).toEqual({ machineId: null, host: "c11-n07", rack: "C11" });
    expect(placed.key).toBe(plain.key);
    expect(identifySeries("node_load1", { nodename: "c11-n07", rack: "C11" }).labels).toEqual({});
  });

  it("a MIG instance is a GPU of its own", () => {
    const { entity, attributes } = identifySeries("DCGM_FI_PROF_SM_ACTIVE", { UUID, gpu: "0", GPU_I_ID: "7", GPU_I_PROFILE: "1g.5gb" });
    expect(entity).toEqual({ kind: "gpu", id: `${UUID}/mig/7` });
    expect(attributes).toContainEqual({ name: "profile", value: "1g.5gb" });
  });

  it("a bare UUID is a GPU's in a GPU's field and nothing in a disk's", () => {
    const bare = UUID.slice(4);
    expect(identifySeries("nvidia_smi_temperature_gpu", { uuid: bare }).entity).toEqual({ kind: "gpu", id: UUID });
    expect(identifySeries("node_bcachefs_info", { uuid: bare }).entity).toBeNull();
  });

  it("E1: the label that repeats the XID's text begins no new series", () => {
    const labels = { UUID, gpu: "0" };
    const quiet = identifySeries("DCGM_FI_DEV_XID_ERRORS", labels);
    const loud = identifySeries("DCGM_FI_DEV_XID_ERRORS", { ...labels, err_code: "79", err_msg: "GPU has fallen off the bus." });
    expect(loud.key).toBe(quiet.key);
    const counted = identifySeries("DCGM_EXP_XID_ERRORS_COUNT", { ...labels, xid: "79", window_size_in_ms: "300000" });
    expect(counted.labels).toEqual({ window_size_in_ms: "300000", xid: "79" });
  });

  it("the workload's pod is an attribute, and Prometheus's own name for the exporter's pod is none", () => {
    const { attributes } = identifySeries("DCGM_FI_DEV_GPU_TEMP", { UUID, pod: "dcgm-exporter-x2x4f", exported_pod: "train-3" });
    expect(attributes).toEqual([{ name: "pod", value: "train-3" }]);
  });
});

describe("the node that labels name", () => {
  it.each([
    ["a node label before anything else", { node: "c11-n07", Hostname: "other", instance: "10.0.0.7:9400" }, "c11-n07"],
    ["Kubernetes' label", { kubernetes_node: "c11-n07", Hostname: "nvidia-dcgm-exporter-s228n" }, "c11-n07"],
    ["the host", { Hostname: "c11-n07", instance: "10.0.0.7:9400" }, "c11-n07"],
    [
      "the scraped address, where the host is the exporter's pod",
      { Hostname: "nvidia-dcgm-exporter-s228n", instance: "10.0.0.7:9400" },
      "10.0.0.7",
    ],
    [
      "the scraped address, where the host is the scraped pod",
      { Hostname: "gpu-metrics-7xk2p", pod: "gpu-metrics-7xk2p", exported_pod: "train", instance: "n7:9400" },
      "n7",
    ],
    ["an IPv6 address", { instance: "[fe80::1]:9100" }, "fe80::1"],
    ["an address with a scheme", { instance: "http://c11-n07:9400/metrics" }, "c11-n07"],
    ["an address without a port", { instance: "c11-n07" }, "c11-n07"],
    ["the host, where `node` numbers a NUMA node", { node: "0", instance: "c11-n07:9100" }, "c11-n07"],
  ])("%s", (_, labels, host) => {
    expect(identifySeries("up", labels).node).toEqual({ machineId: null, host });
  });

  it("is none where only the exporter's pod is named", () => {
    expect(identifySeries("up", { Hostname: "nvidia-dcgm-exporter-s228n" }).node).toBeNull();
  });

  it("keeps the machine id beside the host, and series of the node go by it", () => {
    const identity = identifySeries("node_load1", { machine_id: "m1", node: "c11-n07" });
    expect(identity.node).toEqual({ machineId: "m1", host: "c11-n07" });
    expect(identity.entity).toEqual({ kind: "node", id: "m1" });
    expect(identity.labels).toEqual({});
  });
});

describe("other entities", () => {
  it("a port is one of its node, by device and port", () => {
    const { entity, labels } = identifySeries("node_infiniband_symbol_error_total", {
      device: "mlx5_0",
      port: "1",
      instance: "n7:9100",
      job: "node",
    });
    expect(entity).toEqual({ kind: "port", id: "name:n7/port/mlx5_0:1" });
    expect(labels).toEqual({});
  });

  it("an NVSwitch is one of its node, and its links are told apart by their label", () => {
    const { entity, labels } = identifySeries("DCGM_FI_DEV_NVSWITCH_LINK_REPLAY_ERRORS", { nvswitch: "2", nvlink: "11", Hostname: "n7" });
    expect(entity).toEqual({ kind: "switch", id: "name:n7/switch/2" });
    expect(labels).toEqual({ nvlink: "11" });
  });

  it("a node's series keep what tells them apart", () => {
    expect(identifySeries("node_cpu_seconds_total", { cpu: "3", mode: "idle", instance: "n7:9100", job: "node" }).labels).toEqual({
      cpu: "3",
      mode: "idle",
    });
  });

  it("a metric without a meaning keeps all its labels", () => {
    const labels = { job: "node", instance: "n7:9100", queue: "a" };
    expect(identifySeries("my_queue_depth", labels)).toMatchObject({
      metric: "my_queue_depth",
      entity: null,
      labels,
      target: "node|n7:9100",
    });
  });

  it("labels in another order are the same series", () => {
    const one = identifySeries("my_queue_depth", { a: "1", b: "2" });
    const two = identifySeries("my_queue_depth", { b: "2", a: "1" });
    expect(one.key).toBe(two.key);
  });
});
