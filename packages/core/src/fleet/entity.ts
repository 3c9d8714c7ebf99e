/**
 * What a fleet reading speaks of. Ids: a GPU by its UUID (`GPU-9b1f…`), a MIG instance by the GPU and its instance (`GPU-9b1f…/mig/3`), a
 * link by GPU and link number (`GPU-9b1f…/link/5`), a network port by node and port (`<node>/port/mlx5_0:1`), an NVSwitch by node and
 * switch (`<node>/switch/0`), a node by its machine id, or by its name (`name:c11-n07`) as long as nobody has told the machine id.
 */
export const ENTITY_KINDS = ["node", "gpu", "link", "port", "switch"] as const;
export type EntityKind = (typeof ENTITY_KINDS)[number];

export interface Entity {
  readonly kind: EntityKind;
  readonly id: string;
}

/** What is true of an entity for a while, such as a GPU's index, slot, driver or host: labels that come, go or are renamed (E2, E4). */
export interface EntityAttribute {
  readonly name: string;
  readonly value: string;
}
