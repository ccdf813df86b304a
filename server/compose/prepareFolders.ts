import { accessSync, constants, mkdirSync } from 'node:fs'
import type { Config } from '../config.ts'

/**
 * Creates the folders that the service writes to.
 *
 * @throws Error with a message that names the setting, if a folder cannot be created or written.
 */
export function prepareFolders({
  dataDir,
  registrationFilesDir,
}: Pick<Config, 'dataDir' | 'registrationFilesDir'>) {
  prepare('DATA_DIR', dataDir, { mode: 0o700 })
  prepare('REGISTRATION_FILES_DIR', registrationFilesDir, {})
}

function prepare(setting: string, folder: string, options: { mode?: number }): void {
  try {
    mkdirSync(folder, { recursive: true, ...options })
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    const message = `Setting ${setting}: ${folder} is not a folder that can be made and written to (${code})`
    throw new Error(message, { cause })
  }
}
