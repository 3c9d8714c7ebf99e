import type { DetectorView } from "@trainwatch/core";
import { Button, Checkbox, Inline, Stack, Text } from "@trainwatch/ui";
import { useState } from "react";

export interface DetectorChoiceProps {
  readonly detectors: readonly DetectorView[];
  /** Ids; empty is all. */
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** All detectors, or some by name. */
export function DetectorChoice({ detectors, chosen, onChange }: DetectorChoiceProps) {
  const [isOpen, setOpen] = useState(false);
  const toggle = (id: string): void => onChange(chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id]);
  return (
    <Stack gap={1}>
      <Inline>
        <Text tone="text">{chosen.length === 0 ? "Of all detectors" : `Of ${chosen.join(", ")}`}</Text>
        <Button size="small" kind="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? "Done" : "Choose…"}
        </Button>
        {chosen.length === 0 ? null : (
          <Button size="small" kind="quiet" onClick={() => onChange([])}>
            All
          </Button>
        )}
      </Inline>
      {isOpen
        ? detectors.map(({ id, title }) => (
            <Checkbox key={id} label={title} note={id} checked={chosen.includes(id)} onChange={() => toggle(id)} />
          ))
        : null}
    </Stack>
  );
}
