/** What an XID is mostly caused by. `ambiguous`: the application or the GPU; repeats on one GPU across jobs point to the GPU. */
export const XID_CLASSES = ["application", "driver", "gpu", "memory", "link", "pcie", "power", "ambiguous", "info", "unused"] as const;
export type XidClass = (typeof XID_CLASSES)[number];

/** Whom one of it is for: `page` somebody now, `ticket` for working hours, `log` nobody unless it repeats. */
export const XID_POLICIES = ["page", "ticket", "log"] as const;
export type XidPolicy = (typeof XID_POLICIES)[number];

/** What to do about an XID, in one sentence each. */
export const XID_ACTIONS = {
  none: "Nothing to do; watch whether it repeats on this GPU",
  "restart-app": "Restart the job; if it repeats on this GPU with other jobs, suspect the GPU",
  "reset-gpu": "Drain the node and reset the GPU before it is used again",
  "drain-reset": "Drain the node, reset the GPU and run its field diagnostics",
  "reset-at-next-window": "Reset the GPU at the next maintenance window",
  "reboot-node": "Drain and reboot the node; if it comes back, check the seating and have the GPU replaced",
  "restart-vm": "Restart the virtual machine",
  "restart-fabric-manager": "Follow the XID that came before it; if there is none, restart the fabric manager",
  "check-mechanical": "Check the seating, the power cable and the cooling of the GPU",
  "contact-support": "Open a case with the vendor",
  "update-software": "Bring the driver and the virtual GPU software to versions that go together",
  "decode-nvlink": "Drain the node, see which end reported first, reset the GPU and test the link",
  "decode-nvlink5": "If it is fatal, drain the node and reset the GPU; else look at the link's cable, temperature and peer",
  "follow-154": "Do what the driver asks for: reset, reboot, or drain and reset",
  "check-memory-client": "Check the process that used unified memory",
} as const;
export type XidAction = keyof typeof XID_ACTIONS;
