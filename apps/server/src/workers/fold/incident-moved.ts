/** Somebody has changed an incident while we were folding into it: the transaction must be tried again from its beginning. */
export class IncidentMoved extends Error {
  override readonly name = "IncidentMoved";
}
