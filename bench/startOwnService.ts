import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { findFreePort } from '../test/harness/runner/findFreePort.ts'
import { type RunningServer, type ServerStart, startServer } from './load/startServer.ts'

/** How to start our service. */
export type OwnServiceOptions = {
  /** Settings besides the defaults, such as another database. */
  settings?: Record<string, string>
} & Pick<ServerStart, 'nodeArgs' | 'apartFromLoad'>

/**
 * Starts our service as a user would, on a data folder that may be empty.
 *
 * Of the defaults, only the rate limits are changed, because they would stop the load.
 */
export async function startOwnService(
  dataDir: string,
  { settings = {}, ...start }: OwnServiceOptions = {},
): Promise<RunningServer> {
  const registrationFiles = join(dataDir, 'registration-files')
  mkdirSync(registrationFiles, { recursive: true })
  const port = await findFreePort()
  return startServer({
    ...start,
    script: new URL('../server/main.js', import.meta.url),
    port,
    env: {
      PORT: String(port),
      CHAIN_PORT: String(await findFreePort()),
      DATA_DIR: dataDir,
      REGISTRATION_FILES_DIR: registrationFiles,
      VERIFY_RATE_PER_MINUTE: '100000000',
      API_RATE_PER_MINUTE: '100000000',
      LOG_LEVEL: 'warn',
      ...settings,
    },
  })
}
