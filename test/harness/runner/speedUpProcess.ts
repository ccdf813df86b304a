import { statfsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { faultMode } from '../faults/faultMode.ts'

/**
 * Speeds up every process of a test run, including those that tests start. Compiled modules are cached for the other
 * processes, because each of them loads the same hundreds. Temporary files are in memory if there is room, because a sync
 * takes milliseconds and no test depends on what a disk kept. `npm run test:faults` measures and may write more than
 * memory can hold, so its files are on disk.
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
