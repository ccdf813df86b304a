import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncPath } from './syncPath.ts'

/**
 * Makes a folder that is there whole or not at all, readable by its owner alone.
 *
 * It is filled beside its place and moved there when everything is on disk; whatever goes wrong before leaves nothing.
 *
 * @param fill Writes into the folder it is given.
 * @throws Error with a sentence for the operator when there is something in that place already.
 */
export async function placeFolder<Result>(
  folder: string,
  fill: (draft: string) => Promise<Result>,
): Promise<Result> {
  if (existsSync(folder) && (await readdir(folder)).length > 0) {
    throw new Error(`${folder} is not empty: name a folder that does not exist yet.`)
  }
  const draft = `${folder}.part-${process.pid}`
  await mkdir(dirname(draft), { recursive: true, mode: 0o700 })
  await mkdir(draft, { mode: 0o700 })
  try {
    const result = await fill(draft)
    await closeToOthers(draft)
    await rename(draft, folder)
    await syncPath(dirname(folder))
    return result
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}

/** Folders 0700, files 0600, all of them on disk; what a link leads to is not ours. */
async function closeToOthers(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await closeToOthers(path)
    else if (entry.isFile()) {
      await chmod(path, 0o600)
      await syncPath(path)
    }
  }
  await chmod(folder, 0o700)
  await syncPath(folder)
}
