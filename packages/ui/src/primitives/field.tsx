import { useId, type ComponentPropsWithRef } from "react";

const BOX =
  "rounded-control border bg-transparent px-2 text-note text-t1 placeholder:text-t3 focus-visible:outline-2 focus-visible:outline-accent disabled:border-line disabled:text-t4";

interface FieldFrame {
  readonly label: string;
  /** The label is spoken but not shown: the placeholder or the place says it. */
  readonly labelHidden?: boolean | undefined;
  /** What is wrong and what would be right. */
  readonly error?: string | null | undefined;
  readonly hint?: string | undefined;
}

export type TextFieldProps = FieldFrame &
  Omit<ComponentPropsWithRef<"input">, "className" | "style" | "id" | "list"> & {
    readonly grow?: boolean | undefined;
    /** Words that are offered; anything else may be typed. */
    readonly options?: readonly string[] | undefined;
  };

export function TextField({ label, labelHidden, error, hint, grow, options = [], ...rest }: TextFieldProps) {
  const id = useId();
  const offered = options.length === 0 ? {} : { list: `${id}-offered` };
  const bad = typeof error === "string";
  return (
    <span className={`inline-flex min-w-0 flex-col gap-1 ${grow === true ? "flex-1" : ""}`}>
      <label htmlFor={id} className={labelHidden === true ? "sr-only" : "text-label text-t3"}>
        {label}
      </label>
      <input
        {...rest}
        {...offered}
        id={id}
        aria-invalid={bad}
        aria-describedby={`${id}-say`}
        className={`h-[26px] min-w-36 max-desk:h-9 ${BOX} ${bad ? "border-crit-ink" : "border-line-2"}`}
      />
      {options.length === 0 ? null : (
        <datalist id={`${id}-offered`}>
          {options.map((option) => (
            <option key={option} value={option} aria-label={option} />
          ))}
        </datalist>
      )}
      <FieldSays id={`${id}-say`} error={error} hint={hint} />
    </span>
  );
}

export type TextAreaProps = FieldFrame & Omit<ComponentPropsWithRef<"textarea">, "className" | "style" | "id">;

export function TextArea({ label, labelHidden, error, hint, rows = 3, ...rest }: TextAreaProps) {
  const id = useId();
  const bad = typeof error === "string";
  return (
    <span className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className={labelHidden === true ? "sr-only" : "text-label text-t3"}>
        {label}
      </label>
      <textarea
        {...rest}
        rows={rows}
        id={id}
        aria-invalid={bad}
        aria-describedby={`${id}-say`}
        className={`py-1 ${BOX} ${bad ? "border-crit-ink" : "border-line-2"}`}
      />
      <FieldSays id={`${id}-say`} error={error} hint={hint} />
    </span>
  );
}

function FieldSays({
  id,
  error,
  hint,
}: {
  readonly id: string;
  readonly error: string | null | undefined;
  readonly hint: string | undefined;
}) {
  const bad = typeof error === "string";
  return (
    <span id={id} role={bad ? "alert" : undefined} className={`text-label empty:hidden ${bad ? "text-crit-ink" : "text-t3"}`}>
      {error ?? hint}
    </span>
  );
}

export type CheckboxProps = Omit<ComponentPropsWithRef<"input">, "className" | "style" | "type" | "id"> & {
  readonly label: string;
  readonly note?: string | undefined;
};

export function Checkbox({ label, note, ...rest }: CheckboxProps) {
  return (
    <label className="inline-flex items-center gap-2 text-note whitespace-nowrap">
      <input {...rest} type="checkbox" className="m-0 size-3.5 accent-accent" />
      <span>{label}</span>
      {note === undefined ? null : <span className="text-label text-t3">{note}</span>}
    </label>
  );
}
