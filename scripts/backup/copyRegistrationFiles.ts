import { copyFile, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** A file that is being written, which is renamed when it is whole. */
const DRAFT = '.tmp'

/**
 * Copies the registration files of a folder, or of the folder that a link of that name leads to, while a server writes them.
 *
 * Each is replaced whole, so that what is copied is one or the other. One that is gone when its turn comes is left out,
 * and so are links inside: nothing of ours makes one, and it could lead anywhere.
 */
export async function copyRegistrationFiles(from: string, to: string): Promise<void> {
  await mkdir(to)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) await copyRegistrationFiles(source, target)
    else if (entry.isFile() && !entry.name.endsWith(DRAFT)) await copyFile(source, target).catch(bearMissing)
  }
}

function bearMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
