import { channelSchema, type Channel, type StoredChannel } from "@trainwatch/core";
import { Button, Checkbox, Dialog, Notice, Segmented, Stack, Text, TextField } from "@trainwatch/ui";
import { useState } from "react";
import { useChannelVerbs } from "../../../data/channels.ts";
import { ScopeField, scopeDraft, scopeOf } from "../../../rule-scope/scope-field.tsx";

/** As the server asks for: shorter ones can be guessed from a signature. */
const SHORTEST_SECRET = 16;

/** Where notices go. The address and the secret are never shown again: left empty they stay. */
export function ChannelDialog({ stored, onClose }: { readonly stored: StoredChannel | null; readonly onClose: () => void }) {
  const [name, setName] = useState(stored?.channel.name ?? "");
  const [kind, setKind] = useState<Channel["kind"]>(stored?.channel.kind ?? "slack");
  const [url, setUrl] = useState("");
  const [secret, setSecret] = useState("");
  const [minSeverity, setMinSeverity] = useState<Channel["minSeverity"]>(stored?.channel.minSeverity ?? "critical");
  const [enabled, setEnabled] = useState(stored?.channel.enabled ?? true);
  const [scopeText, setScope] = useState(() => scopeDraft(stored?.channel.scope ?? { runId: null, cluster: null }));
  const [isTouched, setTouched] = useState(false);
  const { create, update } = useChannelVerbs();
  const scope = scopeOf(scopeText);
  const faults = {
    name: name.trim() === "" ? "Say who is told" : null,
    url:
      url.trim() === ""
        ? stored === null
          ? "An address to send to"
          : null
        : isAddress(url.trim())
          ? null
          : "An address that begins with http:// or https://",
    secret:
      secret === "" || secret.length >= SHORTEST_SECRET
        ? null
        : `At least ${SHORTEST_SECRET} characters; openssl rand -hex 24 makes a good one`,
    scope: scope === null ? (scopeText.kind === "run" ? "Name the run" : "Name the cluster") : null,
  };
  const send = (): void => {
    setTouched(true);
    if (scope === null || Object.values(faults).some((fault) => fault !== null)) return;
    const told = { name: name.trim(), minSeverity, enabled, scope };
    if (stored === null)
      create.send({ ...told, kind, url: url.trim(), secret: kind === "webhook" && secret !== "" ? secret : null }, onClose);
    else
      update.send(
        { channelId: stored.id, ...told, ...(url.trim() === "" ? {} : { url: url.trim() }), ...(secret === "" ? {} : { secret }) },
        onClose,
      );
  };
  const shown = (fault: string | null): string | null => (isTouched ? fault : null);
  const failure = create.failure ?? update.failure;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={stored === null ? "New channel" : `Change ${stored.channel.name}`}
      actions={
        <>
          <Button kind="primary" disabled={create.isSending || update.isSending} onClick={send}>
            {stored === null ? "Make channel" : "Save"}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </>
      }
    >
      <Stack gap={3}>
        <TextField
          label="Name: who is told"
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={shown(faults.name)}
          maxLength={128}
          autoComplete="off"
        />
        {stored === null ? (
          <Segmented
            label="Kind"
            value={kind}
            onChange={setKind}
            options={[
              { value: "slack", label: "Slack" },
              { value: "webhook", label: "Webhook" },
            ]}
          />
        ) : null}
        <TextField
          label={kind === "slack" ? "Address of Slack's incoming webhook" : "Address that takes our JSON"}
          type="url"
          value={url}
          onChange={(event) => setUrl(event.target.value)}
          error={shown(faults.url)}
          hint={stored === null ? "It is kept, and shown only in part from then on." : `Now ${stored.channel.url}; left empty it stays.`}
          autoComplete="off"
          spellCheck={false}
          maxLength={2048}
        />
        {kind === "webhook" ? (
          <TextField
            label="Secret that signs each message (may be left out)"
            type="password"
            value={secret}
            onChange={(event) => setSecret(event.target.value)}
            error={shown(faults.secret)}
            hint={
              stored === null
                ? "HMAC-SHA-256 over time and body; the receiver needs the same one."
                : stored.hasSecret
                  ? "There is one; left empty it stays."
                  : "There is none."
            }
            autoComplete="new-password"
            maxLength={256}
          />
        ) : null}
        <Segmented
          label="Is told of"
          value={minSeverity}
          onChange={setMinSeverity}
          options={[
            { value: "critical", label: "Pages only" },
            { value: "warning", label: "Pages and tickets" },
          ]}
        />
        <ScopeField draft={scopeText} onChange={setScope} />
        {isTouched && faults.scope !== null ? <Text tone="critical">{faults.scope}</Text> : null}
        <Checkbox label="Notices go there" checked={enabled} onChange={() => setEnabled(!enabled)} />
        {failure === null ? null : (
          <Notice mark="warning" lit>
            {failure.message}
          </Notice>
        )}
      </Stack>
    </Dialog>
  );
}

function isAddress(text: string): boolean {
  return channelSchema.shape.url.safeParse(text).success;
}
