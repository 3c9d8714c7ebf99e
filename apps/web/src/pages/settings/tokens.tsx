import type { TokenView } from "@trainwatch/core";
import { Button, Cell, EmptyState, HeadCell, Inset, Row, Section, SkeletonRows, Table, Text } from "@trainwatch/ui";
import { useState } from "react";
import { When } from "../../clock/when.tsx";
import { useTokens } from "../../data/settings.ts";
import { LoadedView } from "../../loaded-view/loaded-view.tsx";
import { CreateTokenDialog } from "./create-token-dialog.tsx";
import { RevokeTokenDialog } from "./revoke-token-dialog.tsx";

export function Tokens() {
  const tokens = useTokens();
  const [isCreating, setIsCreating] = useState(false);
  const [revoking, setRevoking] = useState<TokenView | null>(null);
  return (
    <Section
      title="Tokens"
      note="the name of a token is the actor of what is done with it"
      trailing={
        <Button size="small" onClick={() => setIsCreating(true)}>
          New token…
        </Button>
      }
    >
      <LoadedView loaded={tokens} what="The list of tokens" skeleton={<SkeletonRows label="tokens" rows={4} />}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState title="No token yet" command="npx trainwatch token create --name agent --scope ingest">
              A collector needs one that may ingest; a person one that may operate.
            </EmptyState>
          ) : (
            <Table
              label="Tokens"
              head={
                <>
                  <HeadCell>Name</HeadCell>
                  <HeadCell>Begins with</HeadCell>
                  <HeadCell>May</HeadCell>
                  <HeadCell wide>Made</HeadCell>
                  <HeadCell wide>Last used</HeadCell>
                  <HeadCell numeric>Revoke</HeadCell>
                </>
              }
            >
              {list.map((token) => (
                <TokenRow key={token.id} token={token} onRevoke={() => setRevoking(token)} />
              ))}
            </Table>
          )
        }
      </LoadedView>
      {isCreating ? <CreateTokenDialog onClose={() => setIsCreating(false)} /> : null}
      {revoking === null ? null : <RevokeTokenDialog token={revoking} onClose={() => setRevoking(null)} />}
      <Inset>
        <Text size="label" tone="label">
          Tokens are stored as hashes: a secret is shown once, when it is made.
        </Text>
      </Inset>
    </Section>
  );
}

function TokenRow({ token, onRevoke }: { readonly token: TokenView; readonly onRevoke: () => void }) {
  const revoked = token.revokedAtMs !== null;
  return (
    <Row muted={revoked}>
      <Cell bold>{token.name}</Cell>
      <Cell mono>{token.prefix}…</Cell>
      <Cell>{token.scopes.join(", ")}</Cell>
      <Cell wide>
        <When ms={token.createdAtMs} show="absolute" />
      </Cell>
      <Cell wide>{token.lastUsedAtMs === null ? <Text tone="label">never</Text> : <When ms={token.lastUsedAtMs} show="relative" />}</Cell>
      <Cell numeric>
        {revoked ? (
          <>
            revoked <When ms={token.revokedAtMs} show="relative" />
          </>
        ) : (
          <Button kind="quiet" size="small" aria-label={`Revoke ${token.name}…`} onClick={onRevoke}>
            Revoke…
          </Button>
        )}
      </Cell>
    </Row>
  );
}
