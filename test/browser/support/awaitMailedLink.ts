import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { waitUntil } from '../../harness/runner/waitUntil.ts'

/** Waits for a mail with a link whose URL contains `path`, and returns the link. */
export function awaitMailedLink(dataDir: string, path: string): Promise<string> {
  return waitUntil(async () => {
    const folder = join(dataDir, 'mail')
    const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.eml')) : []
    const mails = names.map((name) => readFileSync(join(folder, name), 'utf8').replace(/=\r?\n/g, ''))
    return mails.join().match(new RegExp(`http://\\S+${path}`))?.[0] ?? null
  })
}
