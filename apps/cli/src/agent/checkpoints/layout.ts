/** One file of a checkpoint's folder. */
export interface CheckpointFile {
  /** Relative to the folder, with `/`. */
  readonly path: string;
  readonly bytes: number;
  readonly changedMs: number;
}

/** A checkpoint's folder as it lies on the disk. */
export interface CheckpointFolder {
  readonly files: readonly CheckpointFile[];
  /** Content of one of its files, at most so many bytes from its beginning; empty where it cannot be read. */
  read(path: string, maxBytes: number): Promise<Uint8Array>;
}

/** How a training framework lays a checkpoint down. */
export interface CheckpointLayout {
  readonly id: string;
  readonly title: string;
  /** The step of a folder by its name; null where the name is none of this layout. */
  stepOf(folder: string): number | null;
  /** Files beside the folders that name the newest one. They are moved before the data is safe, so they prove nothing (C8). */
  readonly pointers: readonly string[];
  /** Which files must be there, by name or by what the metadata says. */
  inspect(folder: CheckpointFolder): Promise<Inspection>;
}

export interface Inspection {
  /** Files that hold weights or optimizer state. */
  readonly shards: readonly CheckpointFile[];
  /** Names of shards that must be there by the checkpoint's own word, or by gaps in their numbers, and are not. */
  readonly missing: readonly string[];
  /** Metadata files without which it cannot be loaded, and which are not there or empty. */
  readonly missingMetadata: readonly string[];
  /** The checkpoint says itself how many shards it has. Where it does not, its neighbours are asked. */
  readonly knowsItsShards: boolean;
}
