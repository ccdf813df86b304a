import { mkdir, opendir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isAgentIdentifier } from '@svc/core/ids/identifiers.ts'

/** The name of a file that was being written. */
const DRAFT = /^SVC-.*\.json\..*\.tmp$/

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

    /** Finds the agents that have a file, in no order and without reading the whole folder first. */
    async *list(): AsyncGenerator<string> {
      for await (const name of namesIn(folder)) {
        const svcId = name.endsWith('.json') ? name.slice(0, -'.json'.length) : ''
        if (isAgentIdentifier(svcId)) yield svcId
      }
    },

    /** Deletes what killed processes had begun to write before a time, in epoch milliseconds. */
    async deleteDrafts(before: number): Promise<void> {
      for await (const name of namesIn(folder)) {
        if (!DRAFT.test(name)) continue
        const file = join(folder, name)
        const found = await stat(file).catch((error: unknown) => {
          if (isMissing(error)) return null
          throw error
        })
        if (found !== null && found.mtimeMs < before) await rm(file, { force: true })
      }
    },
  }
}

async function* namesIn(folder: string): AsyncGenerator<string> {
  const entries = await opendir(folder).catch((error: unknown) => {
    if (isMissing(error)) return []
    throw error
  })
  for await (const { name } of entries) yield name
}

/** Only a valid identifier may become part of a path. */
function pathOf(folder: string, svcId: string): string {
  if (!isAgentIdentifier(svcId)) throw new Error('a registration file is named after an agent identifier')
  return join(folder, `${svcId}.json`)
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
