import { closeSync, openSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const ROOT = join(import.meta.dirname, '../../..')
/** Whoever was killed at work has left its lock. */
const LEFT_AFTER_MS = 60_000

/** Does what only one of the test processes of this folder may do at a time. */
export async function runExclusively<Result>(
  what: string,
  work: () => Promise<Result> | Result,
): Promise<Result> {
  const lock = join(tmpdir(), `svc-${what}${ROOT.replaceAll('/', '-')}.lock`)
  let held = open(lock)
  while (held === null) {
    await pause(40)
    held = open(lock)
  }
  try {
    return await work()
  } finally {
    closeSync(held)
    rmSync(lock, { force: true })
  }
}

/** @returns null while another process has it. */
function open(lock: string): number | null {
  try {
    return openSync(lock, 'wx')
  } catch {
    const found = statSync(lock, { throwIfNoEntry: false })
    if (found && Date.now() - found.mtimeMs > LEFT_AFTER_MS) rmSync(lock, { force: true })
    return null
  }
}
