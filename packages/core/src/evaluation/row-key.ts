/** What one row of a comparison is. The settings are not part of it: results under other settings stand in one row and are told apart there. */
export interface RowName {
  readonly task: string;
  readonly metric: string;
  /** Null: the source names none. */
  readonly filter: string | null;
}

/** Key of a row, stable over time and over sources: `task|metric|filter`. A bar inside a name is written `%7C`, so that two rows never share a key. */
export function rowKey({ task, metric, filter }: RowName): string {
  return `${escaped(task)}|${escaped(metric)}|${escaped(filter ?? "")}`;
}

/** The inverse of {@link rowKey}; null where the text is no row key. */
export function rowNameOfKey(key: string): RowName | null {
  const [task, metric, filter, ...rest] = key.split("|").map(unescaped);
  if (task === undefined || metric === undefined || filter === undefined || rest.length > 0) return null;
  return { task, metric, filter: filter === "" ? null : filter };
}

const escaped = (name: string): string => name.replaceAll("%", "%25").replaceAll("|", "%7C");
const unescaped = (name: string): string => name.replaceAll("%7C", "|").replaceAll("%25", "%");
