import type { FleetDetectorEntry } from "./contract.ts";
import { clockLow } from "./detectors/clock-low.ts";
import { ecc } from "./detectors/ecc.ts";
import { fabricState } from "./detectors/fabric-state.ts";
import { gpuIdle } from "./detectors/gpu-idle.ts";
import { gpuLost } from "./detectors/gpu-lost.ts";
import { lostNode } from "./detectors/lost-node.ts";
import { nvlinkBandwidth } from "./detectors/nvlink-bandwidth.ts";
import { nvlinkBer } from "./detectors/nvlink-ber.ts";
import { nvlinkDown } from "./detectors/nvlink-down.ts";
import { nvlinkErrors } from "./detectors/nvlink-errors.ts";
import { nvlinkRecovery } from "./detectors/nvlink-recovery.ts";
import { pcie } from "./detectors/pcie.ts";
import { portDown } from "./detectors/port-down.ts";
import { portErrors } from "./detectors/port-errors.ts";
import { portFlap } from "./detectors/port-flap.ts";
import { powerThrottle } from "./detectors/power-throttle.ts";
import { recoveryAction } from "./detectors/recovery-action.ts";
import { retiredPages } from "./detectors/retired-pages.ts";
import { rowRemap } from "./detectors/row-remap.ts";
import { sxid } from "./detectors/sxid.ts";
import { thermal } from "./detectors/thermal.ts";
import { xid } from "./detectors/xid.ts";

/** Every fleet detector. A new one is one file and one line here. */
export const FLEET_DETECTORS: readonly FleetDetectorEntry[] = [
  xid,
  sxid,
  lostNode,
  gpuLost,
  recoveryAction,
  ecc,
  rowRemap,
  retiredPages,
  nvlinkErrors,
  nvlinkRecovery,
  nvlinkBer,
  nvlinkDown,
  nvlinkBandwidth,
  fabricState,
  portErrors,
  portFlap,
  portDown,
  pcie,
  thermal,
  powerThrottle,
  clockLow,
  gpuIdle,
];

/** Catalogue names of all fields that fleet detectors read. */
export const FLEET_DETECTOR_FIELDS: readonly string[] = [...new Set(FLEET_DETECTORS.flatMap(({ fields }) => fields))];
