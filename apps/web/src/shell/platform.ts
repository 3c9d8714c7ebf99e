const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The palette's keys as this keyboard has them. */
export const MOD_K = isApple ? "⌘K" : "Ctrl K";
