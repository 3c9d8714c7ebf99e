import { sayInteger, type NoticeBody, type NoticeReason, type Severity } from "@trainwatch/core";

/** By shape and word, as on every page. */
const SEVERITY_WORDS: Readonly<Record<Severity, string>> = { critical: "◆ CRITICAL", warning: "▲ WARNING", info: "● INFO" };

const REASON_WORDS: Readonly<Record<NoticeReason, string>> = {
  opened: "new",
  escalated: "got worse",
  reopened: "is back",
  over: "is over",
  resolved: "resolved",
  merged: "several incidents are one",
};

/** Slack refuses a section of more than 3,000 characters. Each part has its own bound, so that no long title cuts off the link or half of an escaped character; together they stay below. */
const MOST_OF_ONE = 380;

/** The body of an incoming webhook of Slack: `text` is what notifications show, `blocks` what the channel shows. */
export function slackMessage(notice: NoticeBody): unknown {
  const headline = `${SEVERITY_WORDS[notice.severity]} · ${REASON_WORDS[notice.reason]}${notice.run === null ? "" : ` · ${notice.run}`}`;
  const lines = [
    `*${escaped(headline)}*`,
    escaped(notice.title),
    `Since ${sinceWords(notice)}${notice.ongoing ? ", still going on" : ""}`,
    ...(notice.merged.length > 0 ? [`The same as ${escaped(incidentsWords(notice.merged))}, which it has taken in`] : []),
    ...(notice.flaps > 0 ? [`It was over and came back ${notice.flaps === 1 ? "once" : `${sayInteger(notice.flaps)} times`}`] : []),
    ...(notice.cause === null ? [] : [`Likeliest cause: ${escaped(notice.cause)}`]),
    ...(notice.ended === null ? [] : [`How it ended: ${escaped(notice.ended)}`]),
    ...(notice.action === null || notice.ended !== null ? [] : [`Proposed: *${escaped(notice.action)}*`]),
    ...(notice.url === null ? [] : [`<${notice.url}|Open incident ${notice.incidentId}>`]),
  ];
  return {
    text: `${escaped(headline)}: ${escaped(notice.title)}`,
    blocks: [{ type: "section", text: { type: "mrkdwn", text: lines.join("\n") } }],
  };
}

function incidentsWords(ids: readonly number[]): string {
  const [last, ...others] = ids.toReversed();
  return others.length === 0 ? `incident ${last}` : `incidents ${others.toReversed().join(", ")} and ${last}`;
}

function sinceWords({ since, sinceStep, attempt }: NoticeBody): string {
  const step = sinceStep === null ? null : `step ${sayInteger(sinceStep)}${attempt === null ? "" : ` of ${escaped(attempt)}`}`;
  const time = since === null ? null : `${since.replace("T", " ").replace(/\.\d+Z$/, "")} UTC`;
  return [step, time].filter((part) => part !== null).join(", ");
}

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** The three characters that Slack gives a meaning to, and no more of a text than there is room for. */
function escaped(text: string): string {
  let said = "";
  for (const character of text) {
    const next = ESCAPES[character] ?? character;
    if (said.length + next.length > MOST_OF_ONE) return `${said}…`;
    said += next;
  }
  return said;
}
