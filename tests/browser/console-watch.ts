import type { Page } from "playwright-core";

export interface ConsoleWatch {
  /** What went to the console as an error, and errors that nobody caught. */
  readonly errors: () => readonly string[];
}

/** Notes every error of a page from its first moment. */
export function watchConsole(page: Page): ConsoleWatch {
  const errors: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(`${message.text()} (${message.location().url})`);
  });
  page.on("pageerror", (error) => errors.push(error.stack ?? error.message));
  return { errors: () => errors };
}
