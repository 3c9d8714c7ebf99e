import { Button, Popover, Stack, Text } from "@trainwatch/ui";
import { useState } from "react";
import type { Verb } from "../data/verb.ts";
import { saveFile, type SavedFile } from "./save-file.ts";

export interface ExportForm<Form extends string> {
  readonly form: Form;
  readonly label: string;
  /** What it is good for. */
  readonly note: string;
}

export interface ExportMenuProps<Form extends string> {
  readonly forms: readonly ExportForm<Form>[];
  readonly file: Verb<Form, SavedFile>;
  /** Ways out of the page that are no file; each begins after the menu has closed. */
  readonly others?: readonly { readonly label: string; readonly note: string; readonly run: () => void }[] | undefined;
}

/** What a page shows as a file in one of several forms, made at the press. */
export function ExportMenu<Form extends string>({ forms, file, others = [] }: ExportMenuProps<Form>) {
  const [isOpen, setOpen] = useState(false);
  const { send, isSending, failure } = file;
  const close = (): void => setOpen(false);
  const save = (made: SavedFile): void => {
    saveFile(made);
    close();
  };
  return (
    <Popover label="Export" look="quiet" open={isOpen} onOpenChange={setOpen}>
      <Stack>
        {forms.map(({ form, label, note }) => (
          <ExportChoice key={form} label={label} note={note} disabled={isSending} onChoose={() => send(form, save)} />
        ))}
        {others.map(({ label, note, run }) => (
          <ExportChoice
            key={label}
            label={label}
            note={note}
            onChoose={() => {
              close();
              run();
            }}
          />
        ))}
        {failure === null ? null : <Text tone="warning">{failure.message}</Text>}
      </Stack>
    </Popover>
  );
}

interface ExportChoiceProps {
  readonly label: string;
  readonly note: string;
  readonly disabled?: boolean | undefined;
  readonly onChoose: () => void;
}

/** One way out of the page, and what it is good for. */
function ExportChoice({ label, note, disabled, onChoose }: ExportChoiceProps) {
  return (
    <Stack gap={0}>
      <Button size="small" disabled={disabled} onClick={onChoose}>
        {label}
      </Button>
      <Text size="label" tone="label">
        {note}
      </Text>
    </Stack>
  );
}
