import { chmod, lstat, mkdir, readdir, realpath, rename, rm, rmdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { nullIfMissing } from '../../server/external/nullIfMissing.ts'
import { syncPath } from './syncPath.ts'

/** Folder at the root of a new file system. */
const LOST_AND_FOUND = 'lost+found'

/**
 * Creates a folder that either is complete or does not exist, readable only by its owner.
 *
 * The contents are written to a draft next to the destination, which is moved there once everything is on disk; a failure
 * before that leaves nothing behind. An empty folder at the destination, or one that a link there points to, is replaced.
 * If it cannot be replaced, such as the root of a volume, the draft is written inside it and its members are moved one by
 * one. The destination is checked before anything is written.
 *
 * @param fill Writes the contents into the folder it is given.
 * @throws Error with a message for the operator if the destination is not an empty folder.
 */
export async function createFolderAtomically<Result>(
  folder: string,
  fill: (draft: string) => Promise<Result>,
): Promise<Result> {
  const place = await resolveDestination(folder)
  const beside = `${place}.part-${process.pid}`
  await mkdir(dirname(place), { recursive: true, mode: 0o700 })
  const isReplaced = await isReplaceable(place, beside)
  const draft = isReplaced ? beside : join(place, basename(beside))
  await mkdir(draft, { mode: 0o700 })
  try {
    const result = await fill(draft)
    await restrictAndSync(draft)
    if (isReplaced) await rename(draft, place)
    else await moveMembers(draft, place)
    await syncPath(isReplaced ? dirname(place) : place)
    return result
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}

/** Follows links. @throws Error with a message for the operator unless the path is free or an empty folder. */
async function resolveDestination(folder: string): Promise<string> {
  if ((await lstat(folder).catch(nullIfMissing)) === null) return folder
  const place = await realpath(folder).catch(nullIfMissing)
  if (place === null) throw new Error(`${folder} is a broken link: name a folder.`)
  if (!(await stat(place)).isDirectory()) throw new Error(`${folder} is not a folder.`)
  if ((await membersOf(place)).length > 0) {
    throw new Error(`${folder} is not empty: name a folder that does not exist yet.`)
  }
  return place
}

async function membersOf(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name !== LOST_AND_FOUND)
}

/**
 * Tests whether a folder can be moved to a path by moving an empty one there. Comparing file systems is not enough: a bind
 * mount may be of the same file system as its parent.
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

/** Moves the members in the order of their names, which puts the database last in a data folder. */
async function moveMembers(draft: string, place: string): Promise<void> {
  const members = await membersOf(place)
  // One of them is the draft.
  if (members.length > 1) throw new Error(`${place} is no longer empty: nothing was written to it.`)
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

/** Sets folders to 0700 and files to 0600, and syncs all of them to disk. Links are not followed. */
async function restrictAndSync(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await restrictAndSync(path)
    else if (entry.isFile()) {
      await chmod(path, 0o600)
      await syncPath(path)
    }
  }
  await chmod(folder, 0o700)
  await syncPath(folder)
}
