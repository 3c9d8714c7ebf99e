import { Tabs as Radix } from "radix-ui";
import type { ReactNode } from "react";

export interface TabOption<T extends string> {
  readonly value: T;
  readonly label: string;
  readonly count?: string | undefined;
}

export interface TabBarProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly TabOption<T>[];
  readonly onChange: (value: T) => void;
  /** Controls at the right end of the bar. */
  readonly trailing?: ReactNode;
  readonly children: ReactNode;
}

/** A bar of tabs over one panel. Only what exists gets a tab. */
export function Tabs<T extends string>({ label, value, options, onChange, trailing, children }: TabBarProps<T>) {
  const choose = (chosen: string): void => {
    const option = options.find((candidate) => candidate.value === chosen);
    if (option !== undefined) onChange(option.value);
  };
  return (
    <Radix.Root value={value} onValueChange={choose} className="flex min-h-0 flex-1 flex-col">
      <div className="flex min-h-9 flex-none flex-wrap items-center border-b border-line pr-4 pl-1.5 text-note whitespace-nowrap text-t2 max-desk:pr-3 max-desk:pl-0.5">
        <Radix.List aria-label={label} className="flex min-w-0 flex-wrap">
          {options.map((option) => (
            <Radix.Trigger
              key={option.value}
              value={option.value}
              className="relative px-2.5 leading-[35px] hover:text-t1 data-[state=active]:font-medium data-[state=active]:text-t1 data-[state=active]:after:absolute data-[state=active]:after:inset-x-2.5 data-[state=active]:after:-bottom-px data-[state=active]:after:h-0.5 data-[state=active]:after:bg-t1"
            >
              {option.label}
              {option.count === undefined ? null : <span className="ml-1.5 text-label text-t3">{option.count}</span>}
            </Radix.Trigger>
          ))}
        </Radix.List>
        {trailing === undefined ? null : (
          <div className="ml-auto flex flex-wrap items-center gap-x-3 gap-y-1 py-1.5 max-desk:ml-2.5">{trailing}</div>
        )}
      </div>
      <Radix.Content value={value} className="flex min-h-0 flex-1 flex-col outline-none">
        {children}
      </Radix.Content>
    </Radix.Root>
  );
}
