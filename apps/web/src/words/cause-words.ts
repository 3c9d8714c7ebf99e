import type { IncidentSummary, RankedCause } from "@trainwatch/core";
import { CAUSE_WORDS, sayAccused, sayGpu, sayNodeId, sayShare } from "@trainwatch/core";
import { formatFixed, formatInteger } from "@trainwatch/ui";

/** Who is accused: "rank 9", "NVLink 5 of GPU-9b1f…". A number by itself names nobody. */
export function accusedWord(kind: string | null, id: string): string {
  return kind === "rank" || kind === "stage" ? sayAccused(kind, id) : subjectWord(id);
}

/** An id of the fleet as short as it can be told apart by eye: a GPU by its first digits, a link by its number. */
export function subjectWord(id: string): string {
  const link = /^(.+)\/link\/(\d+)$/.exec(id);
  if (link !== null) return `NVLink ${link[2]} of ${sayGpu(link[1] ?? "")}`;
  const part = /^(.+)\/(port|switch)\/(.+)$/.exec(id);
  if (part !== null) return `${part[2]} ${part[3]} of ${sayNodeId(part[1] ?? "")}`;
  // A machine id is 32 hexadecimal digits: its head is enough beside the host's name.
  return /^[0-9a-f]{32}$/.test(id) ? `node ${id.slice(0, 8)}…` : sayGpu(sayNodeId(id));
}

/** "hardware: GPU-9b1f…, 93 %": the cause in one line, without how sure it is. */
export function causeShort({ cause, subjectKind, subjectId, share }: Omit<RankedCause, "facts">): string {
  return `${CAUSE_WORDS[cause]}${subjectId === null ? "" : `: ${accusedWord(subjectKind, subjectId)}`}, ${sayShare(share)}`;
}

/** "likely hardware: GPU-9b1f…, 93 %"; where nothing is settled that comes first, and the cause that leads is only named. */
export function causeLine(cause: NonNullable<IncidentSummary["cause"]>): string {
  return cause.word === "not settled" ? `not settled; ${causeShort(cause)}` : `${cause.word} ${causeShort(cause)}`;
}

/** "×30", "×0.39": what a fact does to the odds. */
export function factorWord(logBayesFactor: number): string {
  const factor = Math.exp(logBayesFactor);
  if (factor >= 9.95) return `×${formatInteger(Math.round(factor))}`;
  if (factor >= 0.995) return `×${trimmed(formatFixed(factor, 1))}`;
  return factor >= 0.0095 ? `×${formatFixed(factor, 2)}` : `×10${superscript(Math.floor(Math.log10(factor)))}`;
}

function trimmed(text: string): string {
  return text.replace(/\.0$/, "");
}

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

function superscript(exponent: number): string {
  const digits = String(Math.abs(exponent)).replaceAll(/\d/g, (digit) => SUPERSCRIPTS[Number(digit)] ?? digit);
  return exponent < 0 ? `⁻${digits}` : digits;
}

/** Odds at which a fact counts for something, and for much (Kass & Raftery 1995: 3 is worth a mention, 20 is strong). */
const SOME = Math.log(3);
const STRONG = Math.log(20);
/** Below this it moves nothing. */
const NONE = Math.log(1.05);

/** How much a fact weighs, in words. */
export function weightWord(logBayesFactor: number): string {
  const size = Math.abs(logBayesFactor);
  if (size < NONE) return "says nothing";
  const side = logBayesFactor > 0 ? "for" : "against";
  if (size >= STRONG) return `strongly ${side}`;
  return size >= SOME ? side : `weakly ${side}`;
}

export function sideOf(logBayesFactor: number): "for" | "against" | "neutral" {
  if (Math.abs(logBayesFactor) < NONE) return "neutral";
  return logBayesFactor > 0 ? "for" : "against";
}

/** "5 for, 3 against". */
export function factsWord(facts: RankedCause["facts"]): string {
  const count = (side: "for" | "against"): number => facts.filter(({ logBayesFactor }) => sideOf(logBayesFactor) === side).length;
  return `${formatInteger(count("for"))} for, ${formatInteger(count("against"))} against`;
}

/** "suspicion fell from 40 % to 20 %": what a test has changed. */
export function suspicionMove(before: number, after: number): string {
  const [from, to] = [sayShare(before), sayShare(after)];
  return from === to ? `suspicion stays at ${to}` : `suspicion ${after < before ? "fell" : "rose"} from ${from} to ${to}`;
}
