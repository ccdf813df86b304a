import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describeFile } from './describeFile.ts'
import type { Manifest } from './manifest.ts'

/** Returns the size and hash of every file below a folder, sorted by path. */
export async function describeFiles(folder: string): Promise<Manifest['files']> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
  const described: Manifest['files'] = []
  for (const path of paths.sort()) described.push({ path, ...(await describeFile(join(folder, path))) })
  return described
}
