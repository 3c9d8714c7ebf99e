import { Button, Dialog, KeysTable } from "@trainwatch/ui";
import { useKeyBindings } from "../keys/keys.tsx";
import { KEY_GROUPS } from "../keys/registry.ts";
import { MOD_K } from "./platform.ts";

/** Every key that works on the page below. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  const bindings = useKeyBindings();
  const groups = KEY_GROUPS.map((title) => ({
    title,
    keys: bindings
      .filter((binding) => binding.group === title)
      .map(({ keys, label }) => ({ keys: keys === "mod+k" ? MOD_K : keys, does: label })),
  }));
  return (
    <Dialog open onOpenChange={onClose} title="Keys" actions={<Button onClick={onClose}>Close</Button>}>
      <KeysTable groups={groups.filter((group) => group.keys.length > 0)} />
    </Dialog>
  );
}
