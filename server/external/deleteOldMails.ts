import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** A mail, or a draft of one that a killed process left. */
const MAIL = /\.eml(\.tmp)?$/

/**
 * Deletes the mails that were written to files before a time, which contain names and addresses.
 *
 * It does so with a mail server, too, because there may have been none earlier.
 *
 * @returns How many it deleted.
 */
export async function deleteOldMails(folder: string, before: number): Promise<number> {
  let deleted = 0
  for (const name of await namesIn(folder)) {
    if (!MAIL.test(name)) continue
    const file = join(folder, name)
    const found = await stat(file).catch(nullIfMissing)
    if (found === null || found.mtimeMs >= before) continue
    await rm(file, { force: true })
    deleted += 1
  }
  return deleted
}

/** The folder exists from the first mail on. */
async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(nullIfMissing)) ?? []
}

/** Another process with the same folder may have deleted it meanwhile. */
function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
