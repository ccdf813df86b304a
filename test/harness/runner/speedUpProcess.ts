import { statfsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { faultMode } from '../faults/faultMode.ts'

/**
 * What makes every process of a test run quicker, those that tests start included: compiled modules are kept for the
 * others, because each loads the same hundreds; and temporary files are in memory where there is room, because a sync
 * costs milliseconds and no test looks at what a disk kept. `npm run test:faults` measures, and may write more than there is
 * memory, so that its files are on the disk.
 */
const compiled = join(import.meta.dirname, '../../../node_modules/.cache/compiled')
process.env.NODE_COMPILE_CACHE = compiled
enableCompileCache(compiled)

const MEMORY = '/dev/shm'
const ROOM_BYTES = 4 * 1024 ** 3
if (process.env.TMPDIR === undefined && faultMode === 'none' && hasRoom(MEMORY)) process.env.TMPDIR = MEMORY

function hasRoom(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(path)
    return bavail * bsize >= ROOM_BYTES
  } catch {
    return false
  }
}
