import { KeyHint } from "../primitives/key-hint.tsx";

export interface KeyGroup {
  readonly title: string;
  readonly keys: readonly { readonly keys: string; readonly does: string }[];
}

/** What `?` shows. Each of them has a way by mouse too. */
export function KeysTable({ groups }: { readonly groups: readonly KeyGroup[] }) {
  return (
    <div className="flex flex-col gap-1">
      {groups.map((group) => (
        <section key={group.title} aria-label={group.title}>
          <h3 className="pt-1 text-label font-medium text-t3">{group.title}</h3>
          <dl className="m-0 grid grid-cols-2 gap-x-6 max-desk:grid-cols-1">
            {group.keys.map((entry) => (
              <div key={entry.keys} className="flex justify-between border-b border-line py-0.5">
                <dt>{entry.does}</dt>
                <dd className="m-0">
                  <KeyHint keys={entry.keys} />
                  <span className="sr-only">{entry.keys}</span>
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <p className="text-label text-t3">None fires inside a field. Each has a way by mouse.</p>
    </div>
  );
}
