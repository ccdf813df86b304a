import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Creates a folder for one test; `remove` deletes it with everything in it. */
export function createTemporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'svc-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}
