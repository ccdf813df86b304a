import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compose } from '../../server/compose.ts'
import { readConfig } from '../../server/config.ts'
import { createLogger } from '../../server/external/logger.ts'
import { freePort } from './freePort.ts'

export type StartedService = {
  baseUrl: string
  /** Where the local chain answers. */
  rpcUrl: string
  dataDir: string
  stop(): Promise<void>
}

type Options = {
  /** Settings as the environment would give them. */
  settings?: Record<string, string>
  clock?: () => number
  /** Folder of an earlier start, for tests of restarts; it is then left in place. */
  dataDir?: string
}

/** The whole service as a user starts it: real HTTP, a real database, a real local chain, on ports of its own. */
export async function startService(options: Options = {}): Promise<StartedService> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'svc-test-'))
  const [port, chainPort] = [await freePort(), await freePort()]
  const config = readConfig({
    PORT: String(port),
    CHAIN_PORT: String(chainPort),
    DATA_DIR: dataDir,
    REGISTRATION_FILES_DIR: join(dataDir, 'registration-files'),
    AUDIT_BATCH_SECONDS: '1',
    LOG_LEVEL: 'silent',
    VERIFY_RATE_PER_MINUTE: '100000',
    API_RATE_PER_MINUTE: '100000',
    ...options.settings,
  })
  const log = createLogger(config.logLevel)
  const service = await compose(config, { log, ...(options.clock ? { clock: options.clock } : {}) })
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    rpcUrl: `http://127.0.0.1:${chainPort}`,
    dataDir,
    async stop() {
      await service.stop()
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
