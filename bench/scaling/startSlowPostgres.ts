import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type PostgresServer, startPostgres } from '../../test/harness/database/postgres.ts'

/** A private cluster whose every sync takes longer than the disk needs. */
export type SlowPostgres = Pick<PostgresServer, 'url' | 'stop'> & {
  /** Sets by how much each sync is delayed from now on. */
  delaySyncs(ms: number): void
}

/**
 * Compiles the library that delays syncs, and starts a cluster with it.
 *
 * The delay stands for a remote disk or a synchronous standby: it takes time and no processor.
 *
 * @throws Error if there is no `gcc` or no PostgreSQL.
 */
export async function startSlowPostgres(): Promise<SlowPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-slow-sync-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    // The database's user has to be able to read it.
    chmodSync(folder, 0o755)
    const [library, file] = [join(folder, 'slowSync.so'), join(folder, 'micros')]
    const source = fileURLToPath(new URL('./slowSync.c', import.meta.url))
    execFileSync('gcc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl'])
    const delaySyncs = (ms: number) => writeFileSync(file, String(ms * 1_000), { mode: 0o644 })
    delaySyncs(0)
    const server = await startPostgres({ env: { LD_PRELOAD: library, SLOW_SYNC_FILE: file } })
    return {
      url: server.url,
      delaySyncs,
      stop() {
        server.stop()
        remove()
      },
    }
  } catch (error) {
    remove()
    throw error
  }
}
