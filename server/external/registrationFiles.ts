import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isAgentIdentifier } from '@svc/core/ids/identifiers.ts'

export type RegistrationFiles = ReturnType<typeof createRegistrationFiles>

/**
 * Reads and writes the folder of registration files, `<svcId>.json`.
 *
 * A file is written under a temporary name and renamed, so readers see either the old bytes or the new ones.
 */
export function createRegistrationFiles(folder: string) {
  let written = 0
  return {
    /** Returns the bytes to serve; null when there is no such file. */
    async read(svcId: string): Promise<Buffer | null> {
      try {
        return await readFile(pathOf(folder, svcId))
      } catch (error) {
        if (isMissing(error)) return null
        throw error
      }
    },

    async write(svcId: string, text: string): Promise<void> {
      const path = pathOf(folder, svcId)
      const temporary = `${path}.${process.pid}-${++written}.tmp`
      await mkdir(folder, { recursive: true })
      await writeFile(temporary, text, 'utf8')
      await rename(temporary, path)
    },
  }
}

/** Only a valid identifier may become part of a path. */
function pathOf(folder: string, svcId: string): string {
  if (!isAgentIdentifier(svcId)) throw new Error('a registration file is named after an agent identifier')
  return join(folder, `${svcId}.json`)
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
