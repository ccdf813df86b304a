import { closeSync, fdatasyncSync, openSync, unlinkSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const APPENDS = 200
const PAGE_BYTES = 4_096

/**
 * Milliseconds that each of 200 appends of 4 KiB takes to be on this folder's disk: what a durable answer cannot do
 * without.
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
