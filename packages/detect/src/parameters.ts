import { AppError } from "@trainwatch/core";
import type { DetectorEntry, DetectorParameter, MonitorContext } from "./contract.ts";

/** What of an entry its parameters hang on; entries of every family have it. */
export interface Parametrised<P extends readonly DetectorParameter[] = readonly DetectorParameter[]> {
  readonly id: string;
  readonly parameters: P;
}

/** Parameters in force, by name. */
export type ParameterValues<P extends readonly DetectorParameter[]> = Readonly<Record<P[number]["name"], number>>;

/**
 * The parameters in force: the entry's defaults, overridden by those that the context gives for its id. What the edge would refuse ({@link checkParameters}) is passed
 * over here: a rule stored for an older version must not stop a run from being watched.
 */
export function parametersOf<const P extends readonly DetectorParameter[]>(
  entry: Parametrised<P>,
  context: Pick<MonitorContext, "parameters">,
): ParameterValues<P> {
  const given = context.parameters?.[entry.id] ?? {};
  const values: Record<string, number> = {};
  for (const parameter of entry.parameters) {
    const override = given[parameter.name];
    values[parameter.name] = override !== undefined && faultOf(parameter, override) === null ? override : parameter.value;
  }
  return isComplete(values, entry.parameters) ? values : unreachable(entry.id);
}

/** What differs from the defaults, by name: part of what makes a stored state this detector's own. */
export function overridesOf(entry: Parametrised, context: Pick<MonitorContext, "parameters">): Readonly<Record<string, number>> {
  const values = parametersOf(entry, context);
  return Object.fromEntries(entry.parameters.flatMap(({ name, value }) => (values[name] === value ? [] : [[name, values[name] ?? value]])));
}

/** Refuses overrides that the entry does not know or could not work with. @throws AppError `bad-request`, one sentence a person can act on */
export function checkParameters(entry: Pick<DetectorEntry, "id" | "parameters">, overrides: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(overrides)) {
    const parameter = entry.parameters.find((known) => known.name === name);
    if (parameter === undefined) {
      const known = entry.parameters.map((each) => each.name).join(", ");
      throw new AppError("bad-request", `Detector ${entry.id} has no parameter ${JSON.stringify(name)}; it has ${known}.`, {
        details: { detector: entry.id, parameter: name },
      });
    }
    const fault = faultOf(parameter, value);
    if (fault === null) continue;
    throw new AppError("bad-request", `Parameter ${name} of detector ${entry.id} ${fault}, and ${value} is not.`, {
      details: { detector: entry.id, parameter: name, value: String(value) },
    });
  }
}

/** What a value must be and is not; null where it may stand. */
function faultOf({ value: usual, least, most }: DetectorParameter, value: number): string | null {
  if (!Number.isFinite(value)) return "must be a finite number";
  if (least !== undefined && value < least) return `must be at least ${least}`;
  if (most !== undefined && value > most) return `must be at most ${most}`;
  return least === undefined && usual > 0 && value <= 0 ? "must be above 0" : null;
}

function isComplete<P extends readonly DetectorParameter[]>(
  values: Record<string, number>,
  parameters: P,
): values is ParameterValues<P> & Record<string, number> {
  return parameters.every(({ name }) => name in values);
}

function unreachable(id: string): never {
  throw new Error(`parameters of ${id} are incomplete`);
}
