import type { CommandEntry, CommandListing } from "./command.ts";

/** The entries for one command line: the command it names in full, all others by name and summary only. */
export function loadCommands(argv: readonly string[], listings: readonly CommandListing[]): Promise<readonly CommandEntry[]> {
  const wanted = argv.find((argument) => !argument.startsWith("-"));
  return Promise.all(listings.map((listing) => (listing.name === wanted ? listing.load() : placeholder(listing))));
}

function placeholder({ name, summary }: CommandListing): CommandEntry {
  return { name, summary, examples: [], attach: () => undefined };
}
