import { closeSync, fdatasyncSync, openSync, unlinkSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const APPENDS = 200
const PAGE_BYTES = 4_096

/**
 * Measures in milliseconds how long each of 200 appends of 4 KiB takes to reach the disk of a folder, which every durable
 * response must wait for.
 */
export function measureFsync(folder: string): number[] {
  const path = join(folder, 'fsync.bin')
  const page = Buffer.alloc(PAGE_BYTES, 0x5a)
  const file = openSync(path, 'a')
  try {
    return Array.from({ length: APPENDS }, () => {
      const begin = performance.now()
      writeSync(file, page)
      fdatasyncSync(file)
      return performance.now() - begin
    })
  } finally {
    closeSync(file)
    unlinkSync(path)
  }
}
