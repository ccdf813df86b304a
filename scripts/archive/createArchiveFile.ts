import { createHash } from 'node:crypto'
import { access, open, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { readLines } from '../../cli/audit/readLines.ts'
import type { ArchiveFile } from '../../server/services/audit/archiveRecords.ts'
import { syncPath } from '../backup/syncPath.ts'

/** Creates an archive on disk, readable only by its owner, next to a file with its hash that `sha256sum --check` reads. */
export function createArchiveFile(file: string): ArchiveFile {
  return {
    async write(lines) {
      if (await exists(file)) throw new Error(`${file} already exists: name a file that does not exist yet.`)
      const draft = `${file}.part-${process.pid}`
      const hash = createHash('sha256')
      const handle = await open(draft, 'wx', 0o600)
      try {
        for await (const line of lines) {
          hash.update(`${line}\n`)
          await handle.write(`${line}\n`)
        }
        await handle.sync()
        await handle.close()
        const name = basename(file)
        const sha256 = hash.digest('hex')
        await writeFile(`${file}.sha256`, `${sha256}  ${name}\n`, { mode: 0o600, flush: true })
        await rename(draft, file)
        await syncPath(dirname(file))
        return { name, sha256 }
      } catch (error) {
        await handle.close().catch(() => undefined)
        await rm(draft, { force: true })
        throw error
      }
    },
    lines: () => readLines(file),
  }
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}
