import { copyFile, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Suffix of a file that is still being written and is renamed when complete. */
const DRAFT_SUFFIX = '.tmp'

/**
 * Copies the registration files of a folder, which may be a symbolic link, while a server writes them.
 *
 * The server replaces files atomically, so each copy is one complete version. A file that is deleted meanwhile is left out.
 * So are links inside the folder: the service creates none, and one could point anywhere.
 */
export async function copyRegistrationFiles(from: string, to: string): Promise<void> {
  await mkdir(to)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) await copyRegistrationFiles(source, target)
    else if (entry.isFile() && !entry.name.endsWith(DRAFT_SUFFIX))
      await copyFile(source, target).catch(ignoreMissing)
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
