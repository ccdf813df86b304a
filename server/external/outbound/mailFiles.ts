import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { nullIfMissing } from '../nullIfMissing.ts'

/** A mail, or a draft of one that a killed process left. */
const MAIL = /\.eml(\.tmp)?$/

/**
 * Deletes mails that were written to files, which contain names and addresses; each function returns how many.
 *
 * They are deleted with a mail server, too, because there may have been none earlier.
 */
export function createMailFiles(folder: string) {
  const deleteIf = async (isDue: (file: string) => Promise<boolean>): Promise<number> => {
    let deleted = 0
    // The folder exists from the first mail on.
    for (const name of (await readdir(folder).catch(nullIfMissing)) ?? []) {
      const file = join(folder, name)
      if (!MAIL.test(name) || !(await isDue(file))) continue
      await rm(file, { force: true })
      deleted += 1
    }
    return deleted
  }
  return {
    /** Deletes the mails written before a time, in epoch milliseconds. */
    deleteBefore: (before: number): Promise<number> =>
      deleteIf(async (file) => {
        const found = await stat(file).catch(nullIfMissing)
        return found !== null && found.mtimeMs < before
      }),

    /** Deletes the mails to an address. */
    deleteTo: (address: string): Promise<number> =>
      deleteIf(async (file) => {
        const message = await readFile(file, 'utf8').catch(nullIfMissing)
        return message !== null && recipientOf(message) === address.toLowerCase()
      }),
  }
}

/** Returns the only recipient of a mail in lower case; null if there is none. A long address is on a line of its own. */
function recipientOf(message: string): string | null {
  const [head = ''] = message.split(/\r?\n\r?\n/, 1)
  return /^To:\s*<?([^\s<>]+)>?\s*$/im.exec(head)?.[1]?.toLowerCase() ?? null
}
