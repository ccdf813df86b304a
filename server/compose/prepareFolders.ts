import { accessSync, constants, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
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
    makeFolder(folder, options)
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new Error(
      `Setting ${setting}: ${folder} is not a folder that can be made and written to (${code}); ` +
        'correct its owner and permissions, or name another folder',
      { cause },
    )
  }
}

/** One level at a time: `recursive` of Node never returns where a folder exists but accepts no other, as in /proc. */
function makeFolder(folder: string, options: { mode?: number }): void {
  if (isFolder(folder)) return
  const parent = dirname(folder)
  if (parent !== folder) makeFolder(parent, options)
  try {
    mkdirSync(folder, options)
  } catch (error) {
    // Another process may have made it since.
    if (!isFolder(folder)) throw error
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
