import { open } from 'node:fs/promises'

/** Returns when a file, or what a folder names, is on disk. */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
