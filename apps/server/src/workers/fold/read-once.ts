import type { Records, StoredIncident } from "@trainwatch/store";

/**
 * Records of one transaction for what follows when an incident has changed: its causes, its advice and its notices ask the same of it one after the other, and each question is
 * up to five statements, of which each waits for its turn between the pushes. What was asked is answered from memory until this one writes it; of what others write meanwhile the
 * transaction's later reads would tell, so keep it no longer than one follow-up.
 */
export function readOnce(records: Records): Records {
  const { incidents, advice, runs } = records;
  const find = remembered(incidents.find);
  const get = remembered(incidents.get);
  const ofRun = remembered(incidents.ofRun);
  const attempts = remembered(runs.attempts);
  const change = async (id: number, change: (stored: StoredIncident) => StoredIncident): Promise<void> => {
    const stored = await get.held(id);
    if (stored !== null) get.put(id, change(stored));
  };
  return {
    ...records,
    runs: { ...runs, attempts: attempts.read },
    incidents: {
      ...incidents,
      find: find.read,
      get: get.read,
      ofRun: ofRun.read,
      async setAssessment(id, assessment) {
        await incidents.setAssessment(id, assessment);
        await change(id, (stored) => ({ ...stored, assessment }));
      },
      async update(id, ...rest) {
        for (const each of [find, get]) each.forget(id);
        ofRun.forgetAll();
        return incidents.update(id, ...rest);
      },
    },
    advice: {
      ...advice,
      async create(incidentId, ...rest) {
        const created = await advice.create(incidentId, ...rest);
        // Nobody can have decided on it yet.
        await change(incidentId, (stored) => ({ ...stored, advice: created, decision: null }));
        return created;
      },
      async revise(id, ...rest) {
        const revised = await advice.revise(id, ...rest);
        if (revised !== null) await change(revised.incidentId, (stored) => ({ ...stored, advice: revised }));
        return revised;
      },
    },
  };
}

interface Remembered<T> {
  read(id: number): Promise<T>;
  /** What is remembered; null where nothing is. */
  held(id: number): Promise<T | null>;
  put(id: number, value: T): void;
  forget(id: number): void;
  forgetAll(): void;
}

function remembered<T>(ask: (id: number) => Promise<T>): Remembered<T> {
  const answers = new Map<number, Promise<T>>();
  return {
    read(id) {
      const answer = answers.get(id) ?? ask(id);
      answers.set(id, answer);
      return answer;
    },
    held: async (id) => answers.get(id) ?? null,
    put: (id, value) => void answers.set(id, Promise.resolve(value)),
    forget: (id) => void answers.delete(id),
    forgetAll: () => answers.clear(),
  };
}
