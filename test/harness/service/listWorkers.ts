import { execFileSync } from 'node:child_process'

const FINDS_CHILDREN = 'pgrep'

/** Lists the ids of the server processes of a service that was started with `WORKERS`; none once it has ended. */
export function listWorkers(primary: { pid?: number | undefined }): number[] {
  try {
    const found = execFileSync(FINDS_CHILDREN, ['-P', String(primary.pid)], { encoding: 'utf8' })
    return found.trim().split('\n').map(Number)
  } catch {
    return []
  }
}
