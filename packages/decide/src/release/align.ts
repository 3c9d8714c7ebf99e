/** Which sample of the second column is each sample of the first. */
export interface Alignment {
  /** By place in the first: the place in the second, −1 where it has none. */
  readonly places: Int32Array;
  readonly onlyFirst: number;
  readonly onlySecond: number;
}

/** Joins lists of keys, each list read once however many metrics and columns stand on it: lists are told apart by identity. */
export interface Joins {
  align(first: readonly string[], second: readonly string[]): Alignment;
}

export function createJoins(): Joins {
  const indexes = new Map<readonly string[], ReadonlyMap<string, number>>();
  const known = new Map<readonly string[], Map<readonly string[], Alignment>>();
  const indexOf = (keys: readonly string[]): ReadonlyMap<string, number> => {
    let index = indexes.get(keys);
    if (index === undefined) {
      index = new Map(keys.map((key, place) => [key, place]));
      indexes.set(keys, index);
    }
    return index;
  };
  return {
    align(first, second) {
      const ofFirst = known.get(first) ?? new Map<readonly string[], Alignment>();
      known.set(first, ofFirst);
      let alignment = ofFirst.get(second);
      if (alignment === undefined) {
        alignment = areAlike(first, second) ? identity(first.length) : join(indexOf(first), first.length, second);
        ofFirst.set(second, alignment);
      }
      return alignment;
    },
  };
}

/** The usual case, the same samples in the same order, needs no index. */
function areAlike(first: readonly string[], second: readonly string[]): boolean {
  if (first === second) return true;
  if (first.length !== second.length) return false;
  for (let place = 0; place < first.length; place++) if (first[place] !== second[place]) return false;
  return true;
}

function identity(length: number): Alignment {
  const places = new Int32Array(length);
  for (let place = 0; place < length; place++) places[place] = place;
  return { places, onlyFirst: 0, onlySecond: 0 };
}

function join(index: ReadonlyMap<string, number>, length: number, second: readonly string[]): Alignment {
  const places = new Int32Array(length).fill(-1);
  let common = 0;
  let onlySecond = 0;
  for (let place = 0; place < second.length; place++) {
    const own = index.get(second[place] ?? "");
    if (own === undefined) onlySecond++;
    else {
      places[own] = place;
      common++;
    }
  }
  return { places, onlyFirst: length - common, onlySecond };
}
