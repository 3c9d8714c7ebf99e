import { SCOPES, type Scope } from "@trainwatch/core";
import { Button, Checkbox, CommandLine, Dialog, Stack, Text, TextField } from "@trainwatch/ui";
import { useState } from "react";
import { useTokenVerbs } from "../../data/settings.ts";

const SCOPE_NOTES = {
  ingest: "send samples, and nothing else",
  read: "see every page",
  operate: "acknowledge, decide, archive; and read",
  admin: "everything: tokens, retention, deleting runs",
} as const satisfies Record<Scope, string>;

/** Asks for a name and scopes, then shows the secret this one time. */
export function CreateTokenDialog({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<readonly Scope[]>(["read"]);
  const [secret, setSecret] = useState<string | null>(null);
  const { create } = useTokenVerbs();
  if (secret !== null) return <SecretDialog name={name} secret={secret} onClose={onClose} />;
  const toggle = (scope: Scope): void =>
    setScopes((before) => SCOPES.filter((candidate) => (candidate === scope ? !before.includes(scope) : before.includes(candidate))));
  const canSend = name.trim() !== "" && scopes.length > 0 && !create.isSending;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="New token"
      actions={
        <>
          <Button
            kind="primary"
            disabled={!canSend}
            onClick={() => create.send({ name: name.trim(), scopes: [...scopes] }, (made) => setSecret(made.secret))}
          >
            Make token
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </>
      }
    >
      <TextField
        label="Name: who or what will use it"
        value={name}
        onChange={(event) => setName(event.target.value)}
        error={create.failure?.message ?? null}
        autoComplete="off"
        maxLength={128}
      />
      <Stack gap={1}>
        {SCOPES.map((scope) => (
          <Checkbox key={scope} label={scope} note={SCOPE_NOTES[scope]} checked={scopes.includes(scope)} onChange={() => toggle(scope)} />
        ))}
      </Stack>
      {scopes.length === 0 ? <Text tone="warning">A token without a scope may do nothing: choose one.</Text> : null}
    </Dialog>
  );
}

function SecretDialog({ name, secret, onClose }: { readonly name: string; readonly secret: string; readonly onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Token ${name} is made`}
      description="Copy it now: only its hash is kept, so it cannot be shown again."
      actions={
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <CommandLine label="Secret" command={secret} />
    </Dialog>
  );
}
