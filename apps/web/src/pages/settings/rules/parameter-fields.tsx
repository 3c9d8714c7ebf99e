import type { DetectorView } from "@trainwatch/core";
import { Stack, Text, TextField } from "@trainwatch/ui";
import { parameterWord } from "../../../words/detector-words.ts";
import type { DetectorDraft, RuleFaults } from "./rule-draft.ts";

export interface ParameterFieldsProps {
  readonly draft: DetectorDraft;
  readonly detector: DetectorView | null;
  readonly faults: RuleFaults;
  readonly onChange: (draft: DetectorDraft) => void;
}

/** A field a parameter; what is left empty keeps its default. */
export function ParameterFields({ draft, detector, faults, onChange }: ParameterFieldsProps) {
  const parameters = detector?.parameters ?? [];
  if (parameters.length === 0) return <Text tone="label">This detector has no parameters.</Text>;
  return (
    <Stack gap={3}>
      {parameters.map(({ name, value, unit, meaning, least, most }) => (
        <TextField
          key={name}
          label={`${meaning}${unit === "" ? "" : ` (${unit})`}`}
          inputMode="decimal"
          placeholder={parameterWord(value, "")}
          value={draft.parameters[name] ?? ""}
          onChange={(event) => onChange({ ...draft, parameters: { ...draft.parameters, [name]: event.target.value } })}
          error={faults[name] ?? null}
          hint={`${name}, default ${parameterWord(value, unit)}${boundsWord(least, most)}`}
          autoComplete="off"
        />
      ))}
    </Stack>
  );
}

function boundsWord(least: number | null, most: number | null): string {
  if (least === null && most === null) return "";
  if (least === null) return `, at most ${parameterWord(most ?? 0, "")}`;
  return most === null ? `, at least ${parameterWord(least, "")}` : `, ${parameterWord(least, "")} to ${parameterWord(most, "")}`;
}
