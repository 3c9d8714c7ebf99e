/** Small inputs of our own, one or more a health format. Hosts, GPUs and numbers are made up. */
const UUID = "GPU-9b1f0c3e-1111-2222-3333-444455556666";

export const KMSG = String.raw`6,101,5140900,-;NVRM: loading NVIDIA UNIX x86_64 Kernel Module  570.86.15
4,102,60000000,-;NVRM: GPU at PCI:0000:3b:00: ${UUID}
4,103,60000010,-;NVRM: Xid (PCI:0000:3b:00): 79, pid=4711, name=python, GPU has fallen off the bus.
 SUBSYSTEM=pci
 DEVICE=+pci:0000:3b:00.0
3,104,61000000,-;nvidia-nvswitch3: SXid (PCI:0000:c1:00.0): 20034, Fatal, Link 30 LTSSM Fault Up
3,105,61000001,-;nvidia-nvswitch3: SXid (PCI:0000:c1:00.0): 20034, Severity 1 Engine instance 30 Sub-engine instance 00
3,106,61000002,c;nvidia-nvswitch3: SXid (PCI:0000:c1:00.0): 20034, Data {0x00000030, 0x00000000}
12,107,62000000,-;caf\xc3\xa9 says \x5c hello
`;

export const DMESG_HUMAN = `[Sun Feb 23 16:24:18 2025] NVRM: Xid (PCI:0000:9b:00): 149, pid='<unknown>', name=<unknown>, NETIR_LINK_EVT Fatal XC0 i0 Link 09 (0x01120486 0x00000000 0x00000000)
[Sun Feb 23 16:24:19 2025] NVRM: Xid (PCI:0000:9b:00): 145, RLW_RSP Nonfatal XC0 i0 Link 17 (0x00000004 0x80000000 0x0 0x0)
[Sun Feb 23 16:24:20 2025] NVRM: Xid (PCI:0000:9b:00): 154, GPU recovery action changed from 0x0 (None) to 0x1 (GPU Reset Required)
[Sun Feb 23 16:25:20 2025] NVRM: Xid (PCI:0000:9b:00): 154, GPU recovery action changed from 0x1 (GPU Reset Required) to 0x0 (None)
`;

export const SYSLOG = `Feb 23 16:24:18 c11-n07 kernel: [  812.125000] NVRM: Xid (PCI:0000:9b:00): 48, pid=12, name=train, An uncorrectable double bit error (DBE) has been detected
Feb 23 16:24:19 c11-n07 sshd[77]: Accepted publickey for root
Feb 23 16:24:20 c11-n07 kernel: mlx5_core 0000:5e:00.0 ens3f0np0: Link down
Feb 23 16:24:26 c11-n07 kernel: mlx5_core 0000:5e:00.0 ens3f0np0: Link up
`;

export const FABRIC = `[Mar 02 2025 10:00:00] [INFO] [tid 7] multicast group 0 is allocated.
[Mar 02 2025 10:00:01] [ERROR] [tid 8] detected NVSwitch fatal error 20034 on fid 0 on NVSwitch pci bus id 00000000:86:00.0 physical id 3 port 33
[Mar 02 2025 10:00:02] [ERROR] [tid 9] Fabric Manager detected GPU NVL Non Fatal error on :
moduleId : 1
portNum : 61

[Mar 02 2025 10:00:03] [WARNING] [tid 9] Trunk port failure detected
`;

export const SMI_QUERY = `
==============NVSMI LOG==============

Timestamp                                 : Sun Mar  2 04:55:00 2025
Driver Version                            : 570.86.15
CUDA Version                              : 12.8

Attached GPUs                             : 2
GPU 00000000:3B:00.0
    Product Name                          : NVIDIA H100 80GB HBM3
    MIG Mode
        Current                           : Enabled
    MIG Device
        Index                             : 0
        GPU Instance ID                   : 3
        ECC Errors
            Volatile
                SRAM Uncorrectable        : 2
        Shared FB Memory Usage
            Total                         : 40448 MiB
            Used                          : 26 MiB
    Serial Number                         : 1650000000001
    GPU UUID                              : ${UUID}
    VBIOS Version                         : 96.00.A5.00.01
    GPU Recovery Action                   : Drain and Reset
    PCI
        Bus Id                            : 00000000:3B:00.0
        GPU Link Info
            PCIe Generation
                Max                       : 5
                Current                   : 4
            Link Width
                Max                       : 16x
                Current                   : 8x
        Replays Since Reset               : 9
        Tx Throughput                     : 359 KB/s
    Performance State                     : P2
    Clocks Event Reasons
        Idle                              : Not Active
        SW Power Cap                      : Active
        HW Slowdown                       : Active
            HW Thermal Slowdown           : Active
    Clocks Event Reasons Counters
        SW Power Capping                  : 12 us
    FB Memory Usage
        Total                             : 81559 MiB
        Used                              : 59 MiB
    Utilization
        GPU                               : N/A
        Memory                            : 40 %
    ECC Errors
        Volatile
            SRAM Correctable              : 1
            SRAM Uncorrectable Parity     : 2
            SRAM Uncorrectable SEC-DED    : 3
            DRAM Correctable              : 4
            DRAM Uncorrectable            : 5
    Temperature
        GPU Current Temp                  : 42 F
        GPU T.Limit Temp                  : -3 C
        Memory Current Temp               : Unknown Error
    GPU Power Readings
        Average Power Draw                : 71.27 W
    Module Power Readings
        Average Power Draw                : 500.00 W
    Processes                             : None

GPU 00000000:5E:00.0
    GPU UUID                              : GPU-00000000-aaaa-bbbb-cccc-dddddddddddd
    Temperature
        GPU Current Temp                  : 31 C
`;

export const SMI_XML = `<?xml version="1.0" ?>
<!DOCTYPE nvidia_smi_log SYSTEM "nvsmi_device_v12.dtd">
<nvidia_smi_log>
  <timestamp>Sun Mar  2 04:55:00 2025</timestamp>
  <driver_version>570.86.15</driver_version>
  <attached_gpus>1</attached_gpus>
  <gpu id="00000000:3B:00.0">
    <product_name>NVIDIA H100 80GB HBM3</product_name>
    <mig_devices>
      <mig_device><index>0</index><gpu_instance_id>3</gpu_instance_id><fb_memory_usage><used>26 MiB</used></fb_memory_usage></mig_device>
    </mig_devices>
    <uuid>${UUID}</uuid>
    <clocks_event_reasons>
      <clocks_event_reason_sw_power_cap>Active</clocks_event_reason_sw_power_cap>
      <clocks_event_reason_hw_slowdown>Not Active</clocks_event_reason_hw_slowdown>
    </clocks_event_reasons>
    <remapped_rows><remapped_row_corr>0</remapped_row_corr><remapped_row_pending>Yes</remapped_row_pending></remapped_rows>
    <temperature><gpu_temp>42 C</gpu_temp><memory_temp>N/A</memory_temp></temperature>
  </gpu>
</nvidia_smi_log>
`;

export const NVLINK = `GPU 0: NVIDIA H100 80GB HBM3 (UUID: ${UUID})
\t Link 0: 26.562 GB/s
\t Link 1: <inactive>
GPU 0: NVIDIA H100 80GB HBM3 (UUID: ${UUID})
\t Link 0: Replay Errors: 1
\t Link 0: Recovery Errors: 2
\t Link 0: CRC Errors: 3
GPU 1: NVIDIA GB200 (UUID: GPU-00000000-aaaa-bbbb-cccc-dddddddddddd)
\t Link 4: Malformed packet Errors: 0
\t Link 4: Link recovery failed events: 7
\t Link 4: Effective BER: 15e-255
\t Link 4: FEC Errors - 0: 36140749276
`;

export const SMI_CSV = `timestamp, index, uuid, memory.used [MiB], utilization.gpu [%], pstate, power.draw [W]
2025/03/02 04:55:00.500, 4, ${UUID}, 56623 MiB, 97 %, P0, [N/A]
2025/03/02 04:55:00.500, 5, GPU-00000000-aaaa-bbbb-cccc-dddddddddddd, 4 MiB, 0 %, P8, 71.10 W
`;

export const PERFQUERY = `# Port extended counters: Lid 12 port 1 (CapMask: 0x5300)
PortSelect:......................1
PortXmitData:....................100
LinkDownedCounter:...............3
QP1Dropped:......................2
`;

export const IBSTAT = `CA 'mlx5_0'
\tCA type: MT4129
\tNumber of ports: 1
\tPort 1:
\t\tState: Down
\t\tPhysical state: Polling
\t\tRate: 400
\t\tLink layer: InfiniBand
`;

export const SWITCH_INFO = `=================================================
Quantum
=================================================
serial number      | MT0000X00001
GUID               | 0x1c34da0300000001
-------------------------------------------------
uptime (d-h:m:s)   | 1d-00:01:02
PSU0 status        | OK
     DC power      | OK
     power (W)     | many
temperature (C)    | 45
fan status         | ERROR
fan#1 (rpm)        | 8493
`;

export const SYSFS = JSON.stringify({
  "/sys/bus/pci/devices/0000:0c:00.0/infiniband/mlx5_0/ports/1/state": "1: DOWN\n",
  "/sys/class/infiniband/mlx5_0/ports/1/counters/port_rcv_data": "25\n",
  "/sys/class/infiniband/mlx5_0/ports/1/counters/symbol_error": "N/A (no PMA)\n",
  "/sys/class/infiniband/mlx5_0/ports/1/rate": "400 Gb/sec (4X NDR)\n",
  "/sys/class/infiniband/mlx5_0/fw_ver": "28.38.1002\n",
  "/sys/class/net/ib0/operstate": "down\n",
});

export const EXPOSITION = `# HELP DCGM_FI_DEV_GPU_TEMP GPU temperature (in C).
# TYPE DCGM_FI_DEV_GPU_TEMP gauge
DCGM_FI_DEV_GPU_TEMP{gpu="0",UUID="${UUID}"} 41
`;

export const OPENMETRICS = `# TYPE up gauge
# UNIT boot_seconds seconds
up{job="node"} 1 1740000000.5
# EOF
`;

export const NCCL = `2:c11-n07:533746:534200 [2] NCCL INFO comm 0x1 rank 2 nranks 8
c11-n07:533746:534200 [2] misc/socket.cc:1458 NCCL WARN Connection closed by remote peer
[2026-03-18 14:38:12] c11-n07:871784:871848 [5] ibvwrap.c:94 NCCL WARN Call to ibv_open_device failed
[rank3]:[E321 02:07:08.408271257 ProcessGroupNCCL.cpp:607] [Rank 3] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=1580, OpType=ALLREDUCE, NumelIn=466, NumelOut=466, Timeout(ms)=600000) ran for 600060 milliseconds before timing out.
[rank3]:[E321 02:07:09.000000000 ProcessGroupNCCL.cpp:621] [Rank 3] Some NCCL operations have failed or timed out.
terminate called after throwing an instance of 'c10::DistBackendError'
  what():  [PG 1 Rank 3] Process group watchdog thread terminated with exception: [Rank 3] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=1580, OpType=ALLREDUCE, NumelIn=466, NumelOut=466, Timeout(ms)=600000) ran for 600060 milliseconds before timing out.
`;

/** By the id of the health format that they must be told for. */
export const SAMPLES: readonly (readonly [format: string, name: string, text: string])[] = [
  ["kernel-log", "kmsg", KMSG],
  ["kernel-log", "dmesg -T", DMESG_HUMAN],
  ["kernel-log", "syslog", SYSLOG],
  ["fabric-manager", "fabric manager", FABRIC],
  ["nvidia-smi", "-q", SMI_QUERY],
  ["nvidia-smi", "nvlink", NVLINK],
  ["nvidia-smi", "csv", SMI_CSV],
  ["nvidia-smi-xml", "-q -x", SMI_XML],
  ["infiniband", "perfquery", PERFQUERY],
  ["infiniband", "ibstat", IBSTAT],
  ["infiniband", "ibswinfo", SWITCH_INFO],
  ["sysfs-json", "sysfs", SYSFS],
  ["exposition", "exposition", EXPOSITION],
  ["openmetrics", "openmetrics", OPENMETRICS],
];
