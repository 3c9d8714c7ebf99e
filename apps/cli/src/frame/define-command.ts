import { AppError } from "@trainwatch/core";
import type { Command } from "commander";
import type { z } from "zod";
import type { CommandDefinition, CommandEntry } from "./command.ts";

/** Turns a definition into an entry of the registry: options are parsed by its schema before it runs. */
export function defineCommand<Options extends z.ZodType>(definition: CommandDefinition<Options>): CommandEntry {
  const { name, summary, examples } = definition;
  return {
    name,
    summary,
    examples,
    attach(command, io, finish) {
      definition.configure(command);
      command.option("--json", "print one JSON document instead of text", false);
      command.action(async () => {
        const options = parseOptions(definition.options, command);
        finish(await definition.run(io, options, command.args));
      });
    },
  };
}

/** A command that only groups others (`token create`, `token list`). */
export function defineGroup(name: string, summary: string, children: readonly CommandEntry[]): CommandEntry {
  return {
    name,
    summary,
    examples: children.flatMap((child) => child.examples),
    attach(command, io, finish) {
      for (const child of children) {
        child.attach(describeCommand(command.command(child.name), child), io, finish);
      }
    },
  };
}

/** Summary and examples, as `--help` prints them. */
export function describeCommand(command: Command, entry: CommandEntry): Command {
  const examples = entry.examples.map((line) => `  $ ${line}`).join("\n");
  return command.description(entry.summary).addHelpText("after", `\nExamples:\n${examples}`);
}

function parseOptions<Options extends z.ZodType>(schema: Options, command: Command): z.output<Options> {
  const parsed = schema.safeParse(command.optsWithGlobals());
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => `--${kebabCase(String(issue.path[0]))}: ${issue.message}`);
  throw new AppError("bad-request", `${faults.join("\n")}\nSee \`trainwatch ${commandPath(command)} --help\`.`);
}

function commandPath(command: Command): string {
  const names: string[] = [];
  for (let at: Command | null = command; at !== null && at.parent !== null; at = at.parent) names.unshift(at.name());
  return names.join(" ");
}

function kebabCase(optionName: string): string {
  return optionName.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
