import type { TokenView } from "@trainwatch/core";
import { Button, Dialog, Notice } from "@trainwatch/ui";
import { useTokenVerbs } from "../../data/settings.ts";

export function RevokeTokenDialog({ token, onClose }: { readonly token: TokenView; readonly onClose: () => void }) {
  const { revoke } = useTokenVerbs();
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Revoke ${token.name}?`}
      description="Whatever uses it is refused from now on, and browsers that signed in with it are signed out. A revoked token cannot be brought back."
      actions={
        <>
          <Button kind="danger" disabled={revoke.isSending} onClick={() => revoke.send({ tokenId: token.id }, onClose)}>
            Revoke token
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </>
      }
    >
      {revoke.failure === null ? null : (
        <Notice mark="warning" lit>
          {revoke.failure.message}
        </Notice>
      )}
    </Dialog>
  );
}
