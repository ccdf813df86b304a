import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import { UsageError } from '../terminal/usageError.ts'

const credentialsSchema = z.object({
  /** The service's base URL, which ends in `/api`. */
  apiBaseUrl: z.string(),
  apiKey: z.string().optional(),
  session: z
    .object({
      email: z.string(),
      refreshToken: z.string(),
      accessToken: z.string(),
      /** Epoch milliseconds. */
      expiresAt: z.number(),
    })
    .optional(),
})

/** What `svc login` stored. */
export type Credentials = z.infer<typeof credentialsSchema>

/**
 * Reads the stored credentials; null if there are none.
 *
 * @throws UsageError if the file is damaged, or others may read it.
 */
export function readCredentials(file: string): Credentials | null {
  const found = statSync(file, { throwIfNoEntry: false })
  if (found === undefined) return null
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0) {
    throw new UsageError(`Others may read ${file}: run "chmod 600 ${file}", or sign in again.`)
  }
  try {
    return credentialsSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (cause) {
    throw new UsageError(`${file} is damaged: sign in again with "svc login".`, { cause })
  }
}

/** Writes credentials to a file that only its owner can read, and replaces it atomically. */
export function writeCredentials(file: string, credentials: Credentials): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const written = `${file}.${process.pid}`
  rmSync(written, { force: true })
  writeFileSync(written, JSON.stringify(credentials, null, 2), { mode: 0o600, flag: 'wx' })
  // The umask may have removed the owner's own rights.
  chmodSync(written, 0o600)
  renameSync(written, file)
}
