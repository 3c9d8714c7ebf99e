/** Count and sum of the readings of a metric. */
export type Tally = Map<string, readonly [count: number, sum: number]>;

export function add(tally: Tally, name: string, value: number): void {
  const [count, sum] = tally.get(name) ?? [0, 0];
  tally.set(name, [count + 1, sum + value]);
}

const WORDS: Readonly<Record<string, number>> = { Yes: 1, No: 0, None: 0, Completed: 3, Success: 0 };

/**
 * What `nvidia-smi -q` holds, by one regular expression a metric over the whole text: no path, no indentation, nothing shared with the parser.
 * The last group is the value.
 */
const TEXT_PATTERNS: readonly (readonly [metric: string, pattern: RegExp, factor?: number])[] = [
  ["DCGM_FI_DEV_GPU_UTIL_RATIO", /^ {4}Utilization\n {8}G[pP][uU] +: (\d+) %/gm],
  ["DCGM_FI_DEV_MEM_COPY_UTIL", /^ {4}Utilization\n.*\n {8}Memory +: (\d+) %/gm],
  ["DCGM_FI_DEV_ENC_UTIL", /^ {8}Encoder +: (\d+) %/gm],
  ["DCGM_FI_DEV_DEC_UTIL", /^ {8}Decoder +: (\d+) %/gm],
  ["DCGM_FI_DEV_GPU_TEMP_CELSIUS", /GPU Current Temp +: (\d+) C/g],
  ["DCGM_FI_DEV_MEMORY_TEMP_CELSIUS", /Memory Current Temp +: (\d+) C/g],
  ["DCGM_FI_DEV_GPU_TEMP_MARGIN_CELSIUS", /GPU T\.Limit Temp +: (-?\d+) C/g],
  ["DCGM_FI_DEV_GPU_TEMP_SLOWDOWN_CELSIUS", /GPU Slowdown Temp +: (\d+) C/g],
  ["DCGM_FI_DEV_GPU_TEMP_SHUTDOWN_CELSIUS", /GPU Shutdown Temp +: (\d+) C/g],
  [
    "DCGM_FI_DEV_BOARD_POWER_WATTS",
    /^ {4}(?:GPU )?Power Readings\n(?: {8}Power Management.*\n)? {8}(?:Average )?Power Draw +: ([\d.]+) W/gm,
  ],
  ["DCGM_FI_DEV_BOARD_POWER_RAW_WATTS", /^ {4}GPU Power Readings\n.*\n {8}Instantaneous Power Draw +: ([\d.]+) W/gm],
  ["DCGM_FI_DEV_BOARD_POWER_LIMIT_REQUESTED_WATTS", /^ {8}(?:Requested )?Power Limit +: ([\d.]+) W/gm],
  ["DCGM_FI_DEV_BOARD_POWER_LIMIT_ENFORCED_WATTS", /^ {8}(?:Current|Enforced) Power Limit +: ([\d.]+) W/gm],
  ["DCGM_FI_DEV_SM_CLOCK", /^ {4}Clocks\n.*\n {8}SM +: (\d+) MHz/gm],
  ["DCGM_FI_DEV_MEM_CLOCK", /^ {4}Clocks\n.*\n.*\n {8}Memory +: (\d+) MHz/gm],
  ["DCGM_FI_DEV_VIDEO_CLOCK", /^ {4}Clocks\n.*\n.*\n.*\n {8}Video +: (\d+) MHz/gm],
  ["DCGM_FI_DEV_GPU_PSTATE", /Performance State +: P(\d+)/g],
  ["DCGM_FI_DEV_CLOCKS_EVENT_REASON_SW_POWER_CAP_NS", /SW Power Capping +: (\d+) us/g, 1000],
  ["DCGM_FI_DEV_CLOCKS_EVENT_REASON_SW_THERM_SLOWDOWN_NS", /SW Thermal Slowdown +: (\d+) us/g, 1000],
  ["DCGM_FI_DEV_CLOCKS_EVENT_REASON_HW_THERM_SLOWDOWN_NS", /HW Thermal Slowdown +: (\d+) us/g, 1000],
  ["DCGM_FI_DEV_CLOCKS_EVENT_REASON_HW_POWER_BRAKE_SLOWDOWN_NS", /HW Power Braking +: (\d+) us/g, 1000],
  ["DCGM_FI_DEV_FB_TOTAL", /FB Memory Usage\n +Total +: (\d+) MiB/g],
  ["DCGM_FI_DEV_FB_RESERVED", /FB Memory Usage\n.*\n +Reserved +: (\d+) MiB/g],
  ["DCGM_FI_DEV_FB_USED", /FB Memory Usage\n.*\n.*\n +Used +: (\d+) MiB/g],
  ["DCGM_FI_DEV_FB_FREE", /FB Memory Usage\n.*\n.*\n.*\n +Free +: (\d+) MiB/g],
  ["DCGM_FI_DEV_PCIE_REPLAY_TOTAL", /Replays Since Reset +: (\d+)/g],
  ["DCGM_FI_DEV_PCIE_LINK_GEN", /PCIe Generation\n.*\n +Current +: (\d+)/g],
  ["DCGM_FI_DEV_PCIE_LINK_WIDTH", /Link Width\n.*\n +Current +: (\d+)x/g],
  ["nvidia_smi_pcie_tx_bytes_per_second", /Tx Throughput +: (\d+) KB\/s/g, 1000],
  ["nvidia_smi_pcie_rx_bytes_per_second", /Rx Throughput +: (\d+) KB\/s/g, 1000],
  ["DCGM_FI_DEV_SRAM_EXCEEDED", /SRAM Threshold Exceeded +: (Yes|No)/g],
  ["DCGM_FI_DEV_MEMORY_UNREPAIRABLE", /Unrepairable Memory +: (Yes|No)/g],
  ["DCGM_FI_DEV_ROW_REMAP_CORRECTABLE_TOTAL", /Remapped Rows\n +Correctable Error +: (\d+)/g],
  ["DCGM_FI_DEV_ROW_REMAP_UNCORRECTABLE_TOTAL", /Remapped Rows\n.*\n +Uncorrectable Error +: (\d+)/g],
  ["DCGM_FI_DEV_ROW_REMAP_PENDING", /Remapped Rows\n.*\n.*\n +Pending +: (Yes|No)/g],
  ["DCGM_FI_DEV_ROW_REMAP_FAILED", /Remapping Failure Occurred +: (Yes|No)/g],
  ["DCGM_FI_DEV_GPU_RECOVERY_ACTION", /GPU Recovery Action +: (None)/g],
  ["nvidia_smi_fabric_state", /^ {4}Fabric\n {8}State +: (Completed)/gm],
];

/** Memory errors of a span: the block below its name, to the next line that is no deeper. */
const ECC_BLOCK = /^ {8}(Volatile|Aggregate)\n((?: {12}.*\n)+)/gm;
const MIG_SRAM = /^ {8}ECC Errors\n {12}Volatile\n {16}SRAM Uncorrectable +: (\d+)/gm;
const REASON_BLOCK = /^ {4}Clocks (?:Event|Throttle) Reasons\n((?: {8}.*\n)+)/gm;
const REASONS = [
  "Idle",
  "Applications Clocks Setting",
  "SW Power Cap",
  "HW Slowdown",
  "Sync Boost",
  "SW Thermal Slowdown",
  "HW Thermal Slowdown",
  "HW Power Brake Slowdown",
  "Display Clock Setting",
];

export function countQueryText(text: string, tally: Tally): void {
  for (const [metric, pattern, factor = 1] of TEXT_PATTERNS) {
    for (const [, value = ""] of text.matchAll(pattern)) add(tally, metric, (WORDS[value] ?? Number(value)) * factor);
  }
  for (const [, value = ""] of text.matchAll(MIG_SRAM)) add(tally, "DCGM_FI_DEV_ECC_DBE_VOL_SRM", Number(value));
  for (const [, span = "", block = ""] of text.matchAll(ECC_BLOCK)) {
    // nvidia-smi lists more than one block of the name; only the first two have DRAM counts.
    const of = (name: RegExp): number => [...block.matchAll(name)].reduce((sum, [, value = ""]) => sum + Number(value), 0);
    if (!/DRAM Correctable +: \d/.test(block)) continue;
    const [sbe, dbe, sramSbe, sramDbe] = [
      /DRAM Correctable +: (\d+)/g,
      /DRAM Uncorrectable +: (\d+)/g,
      /SRAM Correctable +: (\d+)/g,
      /SRAM Uncorrectable(?: Parity| SEC-DED)? +: (\d+)/g,
    ].map(of);
    const short = span === "Volatile" ? "VOL" : "AGG";
    if (short === "VOL") add(tally, "DCGM_FI_DEV_ECC_SBE_VOL_DEV", sbe ?? Number.NaN);
    if (short === "VOL") add(tally, "DCGM_FI_DEV_ECC_DBE_VOL_DEV", dbe ?? Number.NaN);
    add(tally, `DCGM_FI_DEV_ECC_SBE_${short}_SRM`, sramSbe ?? Number.NaN);
    add(tally, `DCGM_FI_DEV_ECC_DBE_${short}_SRM`, sramDbe ?? Number.NaN);
    add(tally, `DCGM_FI_DEV_ECC_SBE_${short}_TOTAL`, (sbe ?? 0) + (sramSbe ?? 0));
    add(tally, `DCGM_FI_DEV_ECC_DBE_${short}_TOTAL`, (dbe ?? 0) + (sramDbe ?? 0));
  }
  for (const [, block = ""] of text.matchAll(REASON_BLOCK)) {
    const active = REASONS.map((name, bit) => (new RegExp(`^ +${name} +: Active`, "m").test(block) ? 2 ** bit : 0));
    add(
      tally,
      "DCGM_FI_DEV_CLOCKS_EVENT_REASONS",
      active.reduce((sum, bit) => sum + bit, 0),
    );
  }
}

export function countNvlink(text: string, tally: Tally): void {
  for (const [, speed = ""] of text.matchAll(/^\s+Link \d+: ([\d.]+) GB\/s/gm)) {
    add(tally, "nvidia_smi_nvlink_speed_bytes_per_second", Number(speed) * 1e9);
    add(tally, "nvidia_smi_nvlink_active", 1);
  }
}

/** Columns of a `--query-gpu` table that are readings to Trainwatch. */
const COLUMNS: Readonly<Record<string, string>> = {
  "utilization.gpu": "DCGM_FI_DEV_GPU_UTIL_RATIO",
  "utilization.memory": "DCGM_FI_DEV_MEM_COPY_UTIL",
  "utilization.encoder": "DCGM_FI_DEV_ENC_UTIL",
  "utilization.decoder": "DCGM_FI_DEV_DEC_UTIL",
  "temperature.gpu": "DCGM_FI_DEV_GPU_TEMP_CELSIUS",
  "temperature.memory": "DCGM_FI_DEV_MEMORY_TEMP_CELSIUS",
  "temperature.gpu.tlimit": "DCGM_FI_DEV_GPU_TEMP_MARGIN_CELSIUS",
  "power.draw.average": "DCGM_FI_DEV_BOARD_POWER_WATTS",
  "power.draw.instant": "DCGM_FI_DEV_BOARD_POWER_RAW_WATTS",
  "power.limit": "DCGM_FI_DEV_BOARD_POWER_LIMIT_REQUESTED_WATTS",
  "enforced.power.limit": "DCGM_FI_DEV_BOARD_POWER_LIMIT_ENFORCED_WATTS",
  "clocks.current.sm": "DCGM_FI_DEV_SM_CLOCK",
  "clocks.current.memory": "DCGM_FI_DEV_MEM_CLOCK",
  "clocks.current.video": "DCGM_FI_DEV_VIDEO_CLOCK",
  pstate: "DCGM_FI_DEV_GPU_PSTATE",
  "clocks_event_reasons.active": "DCGM_FI_DEV_CLOCKS_EVENT_REASONS",
  "clocks_event_reasons_counters.sw_power_cap": "DCGM_FI_DEV_CLOCKS_EVENT_REASON_SW_POWER_CAP_NS",
  "clocks_event_reasons_counters.sw_thermal_slowdown": "DCGM_FI_DEV_CLOCKS_EVENT_REASON_SW_THERM_SLOWDOWN_NS",
  "clocks_event_reasons_counters.hw_thermal_slowdown": "DCGM_FI_DEV_CLOCKS_EVENT_REASON_HW_THERM_SLOWDOWN_NS",
  "clocks_event_reasons_counters.hw_power_brake_slowdown": "DCGM_FI_DEV_CLOCKS_EVENT_REASON_HW_POWER_BRAKE_SLOWDOWN_NS",
  "memory.total": "DCGM_FI_DEV_FB_TOTAL",
  "memory.reserved": "DCGM_FI_DEV_FB_RESERVED",
  "memory.used": "DCGM_FI_DEV_FB_USED",
  "memory.free": "DCGM_FI_DEV_FB_FREE",
  "pcie.link.gen.current": "DCGM_FI_DEV_PCIE_LINK_GEN",
  "pcie.link.width.current": "DCGM_FI_DEV_PCIE_LINK_WIDTH",
  "ecc.errors.uncorrected.aggregate.sram.thresholdExceeded": "DCGM_FI_DEV_SRAM_EXCEEDED",
  "remapped_rows.correctable": "DCGM_FI_DEV_ROW_REMAP_CORRECTABLE_TOTAL",
  "remapped_rows.uncorrectable": "DCGM_FI_DEV_ROW_REMAP_UNCORRECTABLE_TOTAL",
  "remapped_rows.pending": "DCGM_FI_DEV_ROW_REMAP_PENDING",
  "remapped_rows.failure": "DCGM_FI_DEV_ROW_REMAP_FAILED",
  gpu_recovery_action: "DCGM_FI_DEV_GPU_RECOVERY_ACTION",
  "fabric.state": "nvidia_smi_fabric_state",
  "ecc.errors.corrected.volatile.dram": "DCGM_FI_DEV_ECC_SBE_VOL_DEV",
  "ecc.errors.uncorrected.volatile.dram": "DCGM_FI_DEV_ECC_DBE_VOL_DEV",
  "ecc.errors.corrected.volatile.sram": "DCGM_FI_DEV_ECC_SBE_VOL_SRM",
  "ecc.errors.corrected.volatile.total": "DCGM_FI_DEV_ECC_SBE_VOL_TOTAL",
  "ecc.errors.uncorrected.volatile.total": "DCGM_FI_DEV_ECC_DBE_VOL_TOTAL",
  "ecc.errors.corrected.aggregate.sram": "DCGM_FI_DEV_ECC_SBE_AGG_SRM",
  "ecc.errors.corrected.aggregate.total": "DCGM_FI_DEV_ECC_SBE_AGG_TOTAL",
  "ecc.errors.uncorrected.aggregate.total": "DCGM_FI_DEV_ECC_DBE_AGG_TOTAL",
};

/** Tables whose header has `memory.total`: one of GPUs. */
export function countCsv(text: string, tally: Tally): void {
  const lines = text.split("\n");
  let header: readonly string[] = [];
  for (const line of lines) {
    const cells = line.trim().split(", ");
    if (/(^|, )memory\.total \[MiB\]/.test(line)) header = cells.map((cell) => cell.replace(/ \[.*$/, ""));
    else if (cells.length !== header.length || cells.length < 2) header = [];
    else countRow(header, cells, tally);
  }
}

function countRow(header: readonly string[], cells: readonly string[], tally: Tally): void {
  const cell = (name: string): number => {
    const text = cells[header.indexOf(name)] ?? "[N/A]";
    if (text.startsWith("[")) return Number.NaN;
    const word = WORDS[text];
    if (word !== undefined) return word;
    return text.startsWith("0x") ? Number(text) : Number.parseFloat(text.replace(/^P(?=\d)/, "")) * (text.endsWith(" us") ? 1000 : 1);
  };
  for (const [name, metric] of Object.entries(COLUMNS))
    if (header.includes(name) && !Number.isNaN(cell(name))) add(tally, metric, cell(name));
  for (const [span, metric] of [
    ["volatile", "DCGM_FI_DEV_ECC_DBE_VOL_SRM"],
    ["aggregate", "DCGM_FI_DEV_ECC_DBE_AGG_SRM"],
  ] as const) {
    const sum = cell(`ecc.errors.uncorrected.${span}.sram.parity`) + cell(`ecc.errors.uncorrected.${span}.sram.secded`);
    if (!Number.isNaN(sum)) add(tally, metric, sum);
  }
}

const XML_PATTERNS: readonly (readonly [metric: string, pattern: RegExp, factor?: number])[] = [
  ["DCGM_FI_DEV_GPU_UTIL_RATIO", /<gpu_util>(\d+) %</g],
  ["DCGM_FI_DEV_MEM_COPY_UTIL", /<memory_util>(\d+) %</g],
  ["DCGM_FI_DEV_ENC_UTIL", /<encoder_util>(\d+) %</g],
  ["DCGM_FI_DEV_DEC_UTIL", /<decoder_util>(\d+) %</g],
  ["DCGM_FI_DEV_GPU_TEMP_CELSIUS", /<gpu_temp>(\d+) C</g],
  ["DCGM_FI_DEV_MEMORY_TEMP_CELSIUS", /<memory_temp>(\d+) C</g],
  ["DCGM_FI_DEV_GPU_TEMP_SLOWDOWN_CELSIUS", /<gpu_temp_slow_threshold>(\d+) C</g],
  ["DCGM_FI_DEV_GPU_TEMP_SHUTDOWN_CELSIUS", /<gpu_temp_max_threshold>(\d+) C</g],
  [
    "DCGM_FI_DEV_BOARD_POWER_WATTS",
    /<(?:gpu_)?power_readings>\s*<power_state>.*<\/power_state>\s*(?:<power_management>.*<\/power_management>\s*)?<power_draw>([\d.]+) W</g,
  ],
  ["DCGM_FI_DEV_BOARD_POWER_LIMIT_REQUESTED_WATTS", /<(?:requested_power_limit|power_limit)>([\d.]+) W</g],
  ["DCGM_FI_DEV_BOARD_POWER_LIMIT_ENFORCED_WATTS", /<(?:current_power_limit|enforced_power_limit)>([\d.]+) W</g],
  ["DCGM_FI_DEV_SM_CLOCK", /<clocks>\s*<graphics_clock>.*\s*<sm_clock>(\d+) MHz</g],
  ["DCGM_FI_DEV_MEM_CLOCK", /<clocks>\s*<graphics_clock>.*\s*<sm_clock>.*\s*<mem_clock>(\d+) MHz</g],
  ["DCGM_FI_DEV_VIDEO_CLOCK", /<clocks>\s*<graphics_clock>.*\s*<sm_clock>.*\s*<mem_clock>.*\s*<video_clock>(\d+) MHz</g],
  ["DCGM_FI_DEV_GPU_PSTATE", /<performance_state>P(\d+)</g],
  ["DCGM_FI_DEV_FB_TOTAL", /<fb_memory_usage>\s*<total>(\d+) MiB</g],
  ["DCGM_FI_DEV_FB_RESERVED", /<fb_memory_usage>\s*<total>.*\s*<reserved>(\d+) MiB</g],
  ["DCGM_FI_DEV_FB_USED", /<fb_memory_usage>\s*<total>.*\s*(?:<reserved>.*\s*)?<used>(\d+) MiB</g],
  ["DCGM_FI_DEV_FB_FREE", /<fb_memory_usage>\s*<total>.*\s*(?:<reserved>.*\s*)?<used>.*\s*<free>(\d+) MiB</g],
  ["DCGM_FI_DEV_PCIE_REPLAY_TOTAL", /<replay_counter>(\d+)</g],
  ["DCGM_FI_DEV_PCIE_LINK_GEN", /<current_link_gen>(\d+)</g],
  ["DCGM_FI_DEV_PCIE_LINK_WIDTH", /<current_link_width>(\d+)x</g],
  ["nvidia_smi_pcie_tx_bytes_per_second", /<tx_util>(\d+) KB\/s</g, 1000],
  ["nvidia_smi_pcie_rx_bytes_per_second", /<rx_util>(\d+) KB\/s</g, 1000],
  ["DCGM_FI_DEV_PAGE_RETIRED_SBE_TOTAL", /<multiple_single_bit_retirement>\s*<retired_count>(\d+)</g],
  ["DCGM_FI_DEV_PAGE_RETIRED_DBE_TOTAL", /<double_bit_retirement>\s*<retired_count>(\d+)</g],
  ["DCGM_FI_DEV_PAGE_RETIRED_PENDING", /<pending_retirement>(Yes|No)</g],
  ["DCGM_FI_DEV_ROW_REMAP_CORRECTABLE_TOTAL", /<remapped_row_corr>(\d+)</g],
  ["DCGM_FI_DEV_ROW_REMAP_UNCORRECTABLE_TOTAL", /<remapped_row_unc>(\d+)</g],
  ["DCGM_FI_DEV_ROW_REMAP_PENDING", /<remapped_row_pending>(Yes|No)</g],
  ["DCGM_FI_DEV_ROW_REMAP_FAILED", /<remapped_row_failure>(Yes|No)</g],
];

export function countXml(text: string, tally: Tally): void {
  for (const [metric, pattern, factor = 1] of XML_PATTERNS) {
    for (const [, value = ""] of text.matchAll(pattern)) add(tally, metric, (WORDS[value] ?? Number(value)) * factor);
  }
  for (const [, value = ""] of text.matchAll(/<volatile_count>\s*<sram_uncorrectable>(\d+)</g))
    add(tally, "DCGM_FI_DEV_ECC_DBE_VOL_SRM", Number(value));
  for (const [, span = "", block = ""] of text.matchAll(/<(volatile|aggregate)>([\s\S]*?)<\/\1>/g)) {
    const number = (tag: string): number => Number(new RegExp(`<${tag}>(\\d+)<`).exec(block)?.[1] ?? Number.NaN);
    const [sbe, dbe, sramSbe, sramDbe] = [
      number("dram_correctable"),
      number("dram_uncorrectable"),
      number("sram_correctable"),
      number("sram_uncorrectable"),
    ];
    const short = span === "volatile" ? "VOL" : "AGG";
    const put = (name: string, value: number): void => {
      if (!Number.isNaN(value)) add(tally, name, value);
    };
    if (short === "VOL") put("DCGM_FI_DEV_ECC_SBE_VOL_DEV", sbe);
    if (short === "VOL") put("DCGM_FI_DEV_ECC_DBE_VOL_DEV", dbe);
    put(`DCGM_FI_DEV_ECC_SBE_${short}_SRM`, sramSbe);
    put(`DCGM_FI_DEV_ECC_DBE_${short}_SRM`, sramDbe);
    put(`DCGM_FI_DEV_ECC_SBE_${short}_TOTAL`, sbe + sramSbe);
    put(`DCGM_FI_DEV_ECC_DBE_${short}_TOTAL`, dbe + sramDbe);
  }
  for (const [, , block = ""] of text.matchAll(/<(clocks_event_reasons|clocks_throttle_reasons)>([\s\S]*?)<\/\1>/g)) {
    const names = [
      "gpu_idle",
      "applications_clocks_setting",
      "sw_power_cap",
      "hw_slowdown",
      "sync_boost",
      "sw_thermal_slowdown",
      "hw_thermal_slowdown",
      "hw_power_brake_slowdown",
      "display_clocks_setting",
    ];
    add(
      tally,
      "DCGM_FI_DEV_CLOCKS_EVENT_REASONS",
      names.reduce((sum, name, bit) => sum + (new RegExp(`_reason_${name}>Active<`).test(block) ? 2 ** bit : 0), 0),
    );
  }
}
