import { closeSync, openSync } from 'node:fs'

/**
 * Creates a file that only its owner can read, unless it exists.
 *
 * SQLite would create it for everyone whom the umask allows, and gives its write-ahead log the mode of the file.
 */
export function createPrivateFile(file: string): void {
  closeSync(openSync(file, 'a', 0o600))
}
