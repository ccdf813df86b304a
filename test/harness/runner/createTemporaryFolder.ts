import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder of its own for one test; `remove` takes all that is in it. */
export function createTemporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'svc-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}
