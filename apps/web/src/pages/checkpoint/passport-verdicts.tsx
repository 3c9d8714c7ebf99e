import type { Passport, PassportVerdict } from "@trainwatch/core";
import { VerdictCell, VerdictRow, type Mark } from "@trainwatch/ui";

/** Good is claimed with evidence only; what nobody looked at is unknown, and hatched. */
const MARKS = { good: "ok", doubt: "warning", bad: "critical", unknown: "unknown" } as const satisfies Record<
  PassportVerdict["state"],
  Mark
>;

export function PassportVerdicts({ passport }: { readonly passport: Passport }) {
  return (
    <VerdictRow label="Verdicts">
      {passport.verdicts.map((verdict) => (
        <VerdictCell key={verdict.name} label={verdict.title} mark={MARKS[verdict.state]} detail={verdict.detail}>
          {verdict.text}
        </VerdictCell>
      ))}
    </VerdictRow>
  );
}
