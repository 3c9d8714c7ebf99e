/*
 * CSI sequences such as `ESC[1;34m` and `ESC[2K`, and OSC sequences such as the title `ESC]0;...BEL`.
 * An OSC without its end eats at most 256 characters, so that one stray ESC cannot hide a line.
 */
// oxlint-disable-next-line no-control-regex -- ESC and BEL are what is looked for
const ESCAPE_SEQUENCE = /\u001b(?:\[[0-9;:?<=>]*[ -/]*[@-~]|\][^\u0007\u001b]{0,256}(?:\u0007|\u001b\\)|[@-Z\\^_])/g;

/** The line as a terminal shows it, without colours and cursor movements. */
export function stripAnsi(text: string): string {
  return text.includes("\u001b") ? text.replace(ESCAPE_SEQUENCE, "") : text;
}
