import { access, constants, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";

/** Where Linux keeps files in memory. Containers often have only 64 MiB there. */
const IN_MEMORY = "/dev/shm";
/** What the databases of a whole test run may take, with room to spare. */
const ROOM_BYTES = 4 * 1024 ** 3;

/**
 * The folder for files that need not outlive the process: in memory where there is room, else the system's temporary folder.
 * Copying a database of 350 files takes 25 ms in memory and 600 ms on a virtual disk.
 */
export async function fastFolder({ inMemory = IN_MEMORY, roomBytes = ROOM_BYTES } = {}): Promise<string> {
  try {
    await access(inMemory, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = await statfs(inMemory);
    return bavail * bsize >= roomBytes ? inMemory : tmpdir();
  } catch {
    return tmpdir();
  }
}
