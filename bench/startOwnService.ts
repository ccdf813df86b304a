import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../test/harness/freePort.ts'
import { type RunningServer, startServer } from './load/startServer.ts'

/**
 * Starts our service as a user would, on a folder that may be empty.
 *
 * Only the rate budgets differ from the defaults: they are there to end exactly such a load.
 *
 * @param settings Further settings, such as another database.
 * @param apartFromLoad As of `startServer`.
 */
export async function startOwnService(
  dataDir: string,
  settings: Record<string, string> = {},
  apartFromLoad = false,
): Promise<RunningServer> {
  const registrationFiles = join(dataDir, 'registration-files')
  mkdirSync(registrationFiles, { recursive: true })
  const port = await freePort()
  return startServer({
    script: new URL('../server/main.js', import.meta.url),
    port,
    apartFromLoad,
    env: {
      PORT: String(port),
      CHAIN_PORT: String(await freePort()),
      DATA_DIR: dataDir,
      REGISTRATION_FILES_DIR: registrationFiles,
      VERIFY_RATE_PER_MINUTE: '100000000',
      API_RATE_PER_MINUTE: '100000000',
      LOG_LEVEL: 'warn',
      ...settings,
    },
  })
}
