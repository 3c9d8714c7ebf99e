/** What each file of `node_health` is. The first five are read and counted; of the others it is said why they are not. */
export type FileClass =
  | "exposition"
  | "kernel-log"
  | "nvidia-smi"
  | "infiniband"
  | "fabric-manager"
  /** A trainer's log: read for what NCCL says in it. */
  | "nccl"
  | `other: not read, because ${string}`;

const OTHER = {
  benchmark: "other: not read, because it is the result of a benchmark and no state of a node (real-traces.test.ts reads it)",
  inventory: "other: not read, because it is a list of what exists, without readings or events",
  trainer: "other: not read, because it is a trainer's or a tool's own log without a word of NCCL's, the kernel's or the driver's",
  recorder:
    "other: not read, because it is a dump of the NCCL flight recorder, or the truth about one (flight-recorder.test.ts reads them)",
  script: "other: not read, because it is the JSON of somebody's own script; csv and jsonl are read as such where they have a step",
  ras: "other: not read, because it is a log of another kind of machine (BlueGene/L, LANL) in a format of its own",
  scheduler: "other: not read, because it is what a scheduler says of jobs and nodes",
} as const satisfies Record<string, FileClass>;

export const FILES: Readonly<Record<string, FileClass>> = {
  "acme_cluster_summary.csv": OTHER.inventory,
  "alibaba_gpu_v2023_nodes.csv": OTHER.inventory,
  "alibaba_minibatch_time_job1.csv": OTHER.trainer,
  "alibaba_minibatch_time_job2.csv": OTHER.trainer,
  "alibaba_spot_gpu_v2026_nodes.csv": OTHER.inventory,
  "bigscience_allreduce_a100_4nodes.txt": "nccl",
  "dcgm_all_field_names.txt": OTHER.inventory,
  "dcgm_errors_mapping.csv": OTHER.inventory,
  "dcgm_exporter_2xT4_k8s.prom": "exposition",
  "dcgm_exporter_a100_mig_4active.prom": "exposition",
  "dcgm_exporter_a100_mig_disabled.prom": "exposition",
  "dcgm_metrics_valid.prom": "exposition",
  "dlrover_npu_training.log": OTHER.trainer,
  "dlrover_training_events_0.log": OTHER.trainer,
  "dmesg_idefics_hang_a100_node.txt": "kernel-log",
  "dmesg_libnccl_segfault.log": "kernel-log",
  "dmesg_oom_iso.log": "kernel-log",
  "dmesg_xid119_gsp_timeout.log": "kernel-log",
  "fabricmanager.log": "fabric-manager",
  "gcm_node_ib_operstate_down.json": "infiniband",
  "gcm_node_learn_good.json": "infiniband",
  "gpu_burn.log": OTHER.benchmark,
  "greyhound_failslow/global_controller_localhost.log": OTHER.trainer,
  "greyhound_failslow/local_controller_0.log": OTHER.trainer,
  "greyhound_failslow/megatron_output_0.log": OTHER.trainer,
  "greyhound_failslow/ncclprobe.log": OTHER.trainer,
  "hkgai_4node_8gpu_snapshots.jsonl": OTHER.script,
  "hkgai_nvidia_smi_20231025140640.txt": "nvidia-smi",
  "hkgai_nvidia_smi_20231025140745.txt": "nvidia-smi",
  "ib_loopback_all_sizes.log": OTHER.benchmark,
  "ibnetdiscover_topology.txt": "infiniband",
  "ibstat_sample.txt": "infiniband",
  "infiniband/ibnetdiscover_test.out": "infiniband",
  "infiniband/ibswinfo_test-err1.out": "infiniband",
  "infiniband/ibswinfo_test1.out": "infiniband",
  "infiniband/perfquery-rcv-error_0x506b4b03005c2740-1.out": "infiniband",
  "infiniband/perfquery-rcv-error_0x7cfe9003009ce5b0-1.out": "infiniband",
  "infiniband/perfquery_0x506b4b03005c2740.out": "infiniband",
  "infiniband/perfquery_0x7cfe9003009ce5b0.out": "infiniband",
  "kmsg_raw_nvswitch.log": "kernel-log",
  "kmsg_raw_peermem.log": "kernel-log",
  "loghub_BGL_2k.log": OTHER.ras,
  "loghub_HPC_2k.log": OTHER.ras,
  "nccl_tests_allreduce.log": OTHER.benchmark,
  "nccl_tests_allreduce_8xB200.txt": OTHER.benchmark,
  "nccl_tests_reducescatter.log": OTHER.benchmark,
  "nccl_warn_8xH200_mlperf_retinanet_r0.txt": "nccl",
  "nccl_warn_ib_open_failed_8gpu_train.log": "nccl",
  "node_exporter_e2e_output.prom": "exposition",
  "nvbandwidth_results.log": OTHER.benchmark,
  "nvidia_gpu_exporter_h100-80gb-hbm3__590.48.01_idle.prom": "exposition",
  "nvidia_gpu_exporter_h100-80gb-hbm3__590.48.01_load.prom": "exposition",
  "nvidia_gpu_exporter_h100-mig__590.48.01_idle.prom": "exposition",
  "nvidia_gpu_exporter_h100-mig__590.48.01_load.prom": "exposition",
  "nvidia_smi_full_capture_h100-80gb-hbm3__590.48.01.txt": "nvidia-smi",
  "nvidia_smi_full_capture_h100-mig__590.48.01.txt": "nvidia-smi",
  "nvidia_smi_nvlink_status_a100.txt": "nvidia-smi",
  "nvidia_smi_q_8xA100_during_hang.txt": "nvidia-smi",
  "nvidia_smi_x_a100_mig_netdata.xml": "nvidia-smi",
  "nvidia_smi_x_a100_sxm4_v12.xml": "nvidia-smi",
  "nvidia_smi_x_tesla_t4.xml": "nvidia-smi",
  "slurm_sacct.txt": OTHER.scheduler,
  "slurm_sinfo.txt": OTHER.scheduler,
  "superbench_diagnosis_summary.jsonl": OTHER.benchmark,
  "superbench_monitor.jsonl": OTHER.script,
  "xid_catalog_oci.json": OTHER.inventory,
  "xpu_timer_metric_hang_all.prom": "exposition",
  "xpu_timer_metric_normal.prom": "exposition",
};

/** Dumps of the flight recorder have no names of their own. */
export function classOf(file: string): FileClass | undefined {
  return file.startsWith("fr_traces/") ? OTHER.recorder : FILES[file];
}
