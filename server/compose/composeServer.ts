import type { Server } from 'node:http'
import { join } from 'node:path'
import { createApp } from '../app.ts'
import type { Config } from '../config.ts'
import type { Logger } from '../external/telemetry/logger.ts'
import { createCallerAddress } from '../middleware/callerAddress.ts'
import { createErrorLog } from '../middleware/createErrorLog.ts'
import { createHostPlaces } from '../middleware/createHostPlaces.ts'
import { createLoadGate } from '../middleware/createLoadGate.ts'
import type { ServeDeps } from '../middleware/serve.ts'
import { type Parts, routes } from '../routes/routes.ts'
import { composeBudgets } from './composeBudgets.ts'
import type { ComposedDatabase } from './composeDatabase.ts'

/** Creates the HTTP server for the parts of the service: the border in front of them, and the pages beside them. */
export function composeServer({
  config,
  database,
  parts,
  root,
  ...deps
}: Pick<ServeDeps, 'authenticators' | 'answerOnce' | 'once' | 'clock' | 'trace'> & {
  config: Config
  database: ComposedDatabase
  parts: Parts
  /** The folder of the project. */
  root: string
  log: Logger
  observe(route: string, status: number, seconds: number): void
}): Server {
  const { log, observe, ...given } = deps
  return createApp(
    {
      ...given,
      budgets: composeBudgets(config.rates, database),
      gate: createLoadGate(config.http.maxAtOnce),
      hostPlaces: createHostPlaces(config.http.maxAtOnce),
      callerAddress: createCallerAddress(config.http.trustedProxies, () =>
        log.warn(
          'a trusted proxy sends X-Forwarded-For without an address at its end: its callers share one budget',
        ),
      ),
      log: createErrorLog(log),
      observe: (route, status, seconds) => observe(`${route.method} ${route.path}`, status, seconds),
    },
    routes(parts),
    {
      dashboardRoot: join(root, 'web', 'dist'),
      docsRoot: join(root, 'docs', '.vitepress', 'dist'),
      isHttps: config.publicUrl.startsWith('https:'),
      publicRpcUrl: config.chain.publicRpcUrl,
    },
  )
}
