import type { ReleaseDetail } from "@trainwatch/core";
import { Button, formatCount, Inline, Inset, Section, Select, SignLine, SignList, Stack, Text } from "@trainwatch/ui";
import { columnName } from "@trainwatch/ui/charts/release";
import { useState } from "react";
import { When } from "../../clock/when.tsx";
import { FrozenDialog } from "./frozen-dialog.tsx";
import { isUnmet, type Proposal } from "./proposed.ts";
import { columnTitle } from "./release-words.ts";
import { SignDialog } from "./sign-dialog.tsx";
import { useReleaseSearch } from "./use-release-search.ts";

export interface SignPartProps {
  readonly detail: ReleaseDetail;
  readonly proposal: Proposal | null;
}

const BY_WORDS = {
  signed: "Ship",
  chosen: "Ship",
  proposed: "Proposed:",
} as const satisfies Record<Proposal["by"], string>;

/** The decision: which candidate, who has signed, who has yet to, and what the signature keeps. */
export function SignPart({ detail, proposal }: SignPartProps) {
  const [isSigning, setSigning] = useState(false);
  const column = proposal === null ? undefined : detail.comparison.columns[proposal.column];
  if (proposal === null || column === undefined) return null;
  const waiting = detail.spec.signers.filter((role) => !detail.signatures.some((signature) => signature.role === role));
  const unmet = detail.gateViews.filter(({ cells }) => cells.some((cell) => cell.column === proposal.column && isUnmet(cell)));
  const [nextRole] = waiting;
  return (
    <Section
      title={`${BY_WORDS[proposal.by]} ${column.letter}, ${columnName(column)}`}
      trailing={`${detail.signatures.length} of ${Math.max(detail.spec.signers.length, detail.signatures.length)} signed`}
      plain
    >
      <Inset>
        <Stack gap={2}>
          <SignList>
            {detail.signatures.map(({ role, signedAs, atMs }) => (
              <SignLine key={`${role} ${signedAs}`} role={role} name={signedAs} trailing={<When ms={atMs} show="moment" />} />
            ))}
            {waiting.map((role) => (
              <SignLine key={role} role={role} name={null} trailing="waiting" />
            ))}
          </SignList>
          {unmet.length === 0 ? null : (
            <Text tone="text">{`Cannot be signed: ${column.letter} does not pass ${unmet.map(({ title }) => `“${title}”`).join(", ")}. Override with a reason, or choose another.`}</Text>
          )}
          <Inline wrap>
            {nextRole === undefined ? null : (
              <Button kind="primary" disabled={unmet.length > 0} onClick={() => setSigning(true)}>
                {`Sign as ${nextRole}…`}
              </Button>
            )}
            <ChooseAnother detail={detail} proposal={proposal} />
            <FrozenButtons detail={detail} />
          </Inline>
          <FrozenLine detail={detail} />
        </Stack>
      </Inset>
      {isSigning ? <SignDialog detail={detail} column={column} roles={waiting} onClose={() => setSigning(false)} /> : null}
    </Section>
  );
}

/** The copy that was signed, and what is other than in it. */
function FrozenButtons({ detail }: { readonly detail: ReleaseDetail }) {
  const [shows, setShows] = useState<"copy" | "changes" | null>(null);
  const { frozen } = detail;
  if (frozen === null) return null;
  return (
    <>
      <Button onClick={() => setShows("copy")}>Frozen copy…</Button>
      {frozen.changedRows === 0 ? null : (
        <Button onClick={() => setShows("changes")}>
          {`${formatCount(frozen.changedRows, "row")} ${frozen.changedRows === 1 ? "has" : "have"} changed since…`}
        </Button>
      )}
      {shows === null ? null : <FrozenDialog detail={detail} shows={shows} onClose={() => setShows(null)} />}
    </>
  );
}

/** What the first signature keeps, and whether the results are still those. */
function FrozenLine({ detail: { frozen } }: { readonly detail: ReleaseDetail }) {
  if (frozen === null)
    return (
      <Text size="label" tone="label">
        The first signature keeps a frozen copy of the whole comparison with its SHA-256.
      </Text>
    );
  return (
    <Text size="label" tone="label">
      Frozen: <Text mono title={frozen.hash}>{`sha256 ${frozen.hash.slice(0, 8)}…`}</Text>
      {`, ${formatCount(frozen.rows, "row")}${frozen.changedRows === 0 ? ", unchanged since" : ""}.`}
    </Text>
  );
}

/** Another candidate than the one shown; the choice is in the address, and binds nobody until it is signed. */
function ChooseAnother({ detail, proposal }: { readonly detail: ReleaseDetail; readonly proposal: Proposal }) {
  const { go } = useReleaseSearch();
  if (proposal.by === "signed") return null;
  const options = detail.comparison.columns.slice(1).map((column) => ({ value: String(column.scorecardId), label: columnTitle(column) }));
  const value = String(detail.comparison.columns[proposal.column]?.scorecardId ?? "");
  return (
    <Select
      label="Candidate to ship"
      prefix="Choose:"
      value={value}
      options={options}
      onChange={(next) => go((before) => ({ ...before, ship: Number(next) }))}
    />
  );
}
