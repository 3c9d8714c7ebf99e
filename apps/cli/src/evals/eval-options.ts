import { EVAL_FORMATS, evalFormatById, type EvalColumns, type EvalFormat, type EvalOptions } from "@trainwatch/formats";
import type { Command } from "commander";
import { z } from "zod";

const COLUMN_NAMES = [
  "model",
  "step",
  "task",
  "metric",
  "value",
  "stderr",
  "n",
  "key",
  "prompt",
  "answer",
  "target",
  "cluster",
  "category",
] as const satisfies readonly (keyof EvalColumns)[];

/** Options that `compare` and `import` share: what files of results do not say themselves. */
export function addEvalOptions(command: Command): void {
  command.option("--model <name>", "the model of evaluation results that do not name theirs (default: from the file's name)").option(
    "--columns <mapping>",
    `columns of a table or JSONL of your own: ${COLUMN_NAMES.slice(0, 5)
      .map((name) => `${name}=COLUMN`)
      .join(",")}, …; metrics=A+B for several metric columns`,
  );
}

export const evalOptionsSchema = z.object({
  model: z.string().trim().min(1, "must not be empty").max(512).optional(),
  columns: z
    .string()
    .transform((text, context): EvalColumns => {
      const columns = columnsOf(text);
      if (typeof columns !== "string") return columns;
      context.addIssue({ code: "custom", message: columns });
      return z.NEVER;
    })
    .optional(),
});

/** The mapping, or what is wrong with it. `step=global_step,task=bench,metrics=acc+f1` */
function columnsOf(text: string): EvalColumns | string {
  const columns: Record<string, string | readonly string[]> = {};
  for (const part of text.split(",")) {
    const [, name, column] = /^\s*(\w+)\s*=\s*(.+?)\s*$/.exec(part) ?? [];
    if (name === undefined || column === undefined) return `${JSON.stringify(part)} is not of the form NAME=COLUMN`;
    if (name === "metrics") columns[name] = column.split("+");
    else if (COLUMN_NAMES.some((known) => known === name)) columns[name] = column;
    else return `there is no ${JSON.stringify(name)}; known are ${COLUMN_NAMES.join(", ")}, metrics`;
  }
  return columns;
}

export function evalOptionsOf({ model, columns }: z.output<typeof evalOptionsSchema>): EvalOptions {
  return { ...(model === undefined ? {} : { model }), ...(columns === undefined ? {} : { columns }) };
}

export const evalFormatSchema = z.string().transform((id, context): EvalFormat => {
  const format = evalFormatById(id);
  if (format !== undefined) return format;
  const known = (EVAL_FORMATS satisfies readonly EvalFormat[]).map((entry: EvalFormat) => entry.id).join(", ");
  context.addIssue({ code: "custom", message: `there is no evaluation format ${JSON.stringify(id)}; known are ${known}` });
  return z.NEVER;
});
