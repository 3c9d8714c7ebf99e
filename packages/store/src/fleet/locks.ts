/** First keys of the advisory locks of the fleet store; the second key says which window, group or section. */
export const LOCKS = {
  /** Second key: window number. Held while a window and its partition are made. */
  fleetWindow: 7_301,
  /** Second key: group. Held while late or cut rows of it are compared with what is stored. */
  fleetGroup: 7_302,
  /** Second key 0. Held while places are given to new series. */
  fleetPlaces: 7_303,
  /** Second key 0. Held while a partition of blocks or cells is made. */
  fleetPartition: 7_304,
} as const;
