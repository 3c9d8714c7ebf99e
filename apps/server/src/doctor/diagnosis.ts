/** One thing that was looked at. */
export interface Diagnosis {
  readonly check: "configuration" | "database" | "migrations" | "clock" | "disk" | "access" | "data" | "coverage" | "dashboard";
  readonly status: "ok" | "warning" | "fault";
  /** What was found, with its numbers. */
  readonly message: string;
  /** What to do about it; null where nothing is wrong. */
  readonly fix: string | null;
  /** Nothing further could be looked at. */
  readonly isBlocking: boolean;
}

export function fine(check: Diagnosis["check"], message: string): Diagnosis {
  return { check, status: "ok", message, fix: null, isBlocking: false };
}

export function warning(check: Diagnosis["check"], message: string, fix: string): Diagnosis {
  return { check, status: "warning", message, fix, isBlocking: false };
}

export function fault(check: Diagnosis["check"], message: string, fix: string): Diagnosis {
  return { check, status: "fault", message, fix, isBlocking: false };
}
