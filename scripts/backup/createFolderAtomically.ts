import { chmod, lstat, mkdir, readdir, realpath, rename, rm, rmdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { syncPath } from './syncPath.ts'

/** What a fresh file system has at its root. */
const OF_FILE_SYSTEM = 'lost+found'

/**
 * Makes a folder that is there whole or not at all, readable by its owner alone.
 *
 * It is filled beside its place and moved there when everything is on disk; whatever goes wrong before leaves nothing. An
 * empty folder in its place is replaced, or that which a link in its place leads to. One that cannot be replaced, as the
 * root of a volume, stays as it is: it is filled in a folder of its own inside, and gets the members one after the
 * other. All that can be known of the place is looked at before it is filled.
 *
 * @param fill Writes into the folder it is given.
 * @throws Error with a sentence for the operator when there is something in that place already.
 */
export async function createFolderAtomically<Result>(
  folder: string,
  fill: (draft: string) => Promise<Result>,
): Promise<Result> {
  const place = await realPlace(folder)
  const beside = `${place}.part-${process.pid}`
  await mkdir(dirname(place), { recursive: true, mode: 0o700 })
  const isReplaced = await isReplaceable(place, beside)
  const draft = isReplaced ? beside : join(place, basename(beside))
  await mkdir(draft, { mode: 0o700 })
  try {
    const result = await fill(draft)
    await closeToOthers(draft)
    if (isReplaced) await rename(draft, place)
    else await moveMembers(draft, place)
    await syncPath(isReplaced ? dirname(place) : place)
    return result
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}

/** Where links lead. @throws Error with a sentence unless there is nothing, or an empty folder. */
async function realPlace(folder: string): Promise<string> {
  if ((await lstat(folder).catch(nullIfMissing)) === null) return folder
  const place = await realpath(folder).catch(nullIfMissing)
  if (place === null) throw new Error(`${folder} is a link that leads nowhere: name a folder.`)
  if (!(await stat(place)).isDirectory()) throw new Error(`${folder} is not a folder.`)
  if ((await membersOf(place)).length > 0) {
    throw new Error(`${folder} is not empty: name a folder that does not exist yet.`)
  }
  return place
}

async function membersOf(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name !== OF_FILE_SYSTEM)
}

/**
 * Whether a folder can be moved to that place, found out by doing it with an empty one. Only the attempt tells: a
 * mount point may be of the file system that it is in.
 */
async function isReplaceable(place: string, beside: string): Promise<boolean> {
  if ((await lstat(place).catch(nullIfMissing)) === null) return true
  try {
    await mkdir(beside, { mode: 0o700 })
    await rename(beside, place)
    return true
  } catch {
    await rmdir(beside).catch(() => undefined)
    return false
  }
}

/** In the order of their names, by which the database is the last in a data folder. */
async function moveMembers(draft: string, place: string): Promise<void> {
  const there = await membersOf(place)
  if (there.length > 1) throw new Error(`${place} is not empty any more: nothing was put there.`)
  const moved: string[] = []
  try {
    for (const name of (await readdir(draft)).sort()) {
      await rename(join(draft, name), join(place, name))
      moved.push(name)
    }
    await rmdir(draft)
  } catch (error) {
    for (const name of moved) await rm(join(place, name), { recursive: true, force: true })
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

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
