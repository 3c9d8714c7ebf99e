/** Reads one line of a tool's output; false where the line is none of it. */
export type ToolReader = (text: string, line: number) => boolean;
