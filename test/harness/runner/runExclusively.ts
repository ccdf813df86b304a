import { closeSync, openSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const ROOT = join(import.meta.dirname, '../../..')
/** A killed process leaves its lock behind; after this time the lock is stale. */
const STALE_AFTER_MS = 60_000

/** Runs work that only one test process of this checkout may do at a time. */
export async function runExclusively<Result>(
  what: string,
  work: () => Promise<Result> | Result,
): Promise<Result> {
  const lock = join(tmpdir(), `svc-${what}${ROOT.replaceAll('/', '-')}.lock`)
  let held = tryLock(lock)
  while (held === null) {
    await pause(40)
    held = tryLock(lock)
  }
  try {
    return await work()
  } finally {
    closeSync(held)
    rmSync(lock, { force: true })
  }
}

/** @returns null while another process holds the lock. */
function tryLock(lock: string): number | null {
  try {
    return openSync(lock, 'wx')
  } catch {
    const found = statSync(lock, { throwIfNoEntry: false })
    if (found && Date.now() - found.mtimeMs > STALE_AFTER_MS) rmSync(lock, { force: true })
    return null
  }
}
