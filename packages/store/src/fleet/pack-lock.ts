const LOCK_NOT_AVAILABLE = "55P03";
const DEADLOCK = "40P01";

/** Whether a statement failed because others hold what it needs: not now, but later. */
export function isLockTimeout(error: unknown): boolean {
  return typeof error === "object" && error !== null && "code" in error && (error.code === LOCK_NOT_AVAILABLE || error.code === DEADLOCK);
}
