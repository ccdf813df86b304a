import type { AddressInfo } from 'node:net'
import { createApp } from '../../../server/app.ts'
import type { Authenticators } from '../../../server/middleware/authenticate.ts'
import { createCallerAddress } from '../../../server/middleware/callerAddress.ts'
import { createHostPlaces } from '../../../server/middleware/createHostPlaces.ts'
import { createLoadGate } from '../../../server/middleware/createLoadGate.ts'
import {
  type BudgetHolder,
  createRateBudget,
  type RateBudget,
} from '../../../server/middleware/rateBudget.ts'
import type { Route, ServeDeps } from '../../../server/middleware/serve.ts'

export type Served = { url: string; logged: object[]; stop(): Promise<void> }

/** Starts a real HTTP server with a few routes, for tests of the border itself. */
export async function serveRoutes(
  routes: readonly Route[],
  options: {
    authenticators?: Partial<Authenticators>
    max?: number
    maxAtOnce?: number
    trustedProxies?: readonly string[]
    isHttps?: boolean
    publicRpcUrl?: string
    clock?: () => number
    observe?: ServeDeps['observe']
    answerOnce?: ServeDeps['answerOnce']
    /** Replaces the log that collects into `logged`. */
    log?: Pick<ServeDeps['log'], 'error' | 'debug'>
    /** Folder of a built documentation. */
    docsRoot?: string
  } = {},
): Promise<Served> {
  const logged: object[] = []
  const log = options.log ?? {
    error: (fields) => logged.push(fields),
    debug: (fields) => logged.push(fields),
  }
  const error = (fields: object, message: string) => log.error(fields, message)
  const budget = (): RateBudget<BudgetHolder> => {
    const { take } = createRateBudget({ name: 'test', max: options.max ?? 1000, windowSeconds: 60 })
    return { take: ({ caller }, now) => take(caller, now) }
  }
  const deps: ServeDeps = {
    authenticators: {
      apiKey: () => null,
      accessToken: async () => null,
      agentToken: async () => null,
      signature: async () => {
        throw new Error('no signatures in this test')
      },
      ...options.authenticators,
    },
    budgets: {
      verify: budget(),
      api: budget(),
      login: budget(),
      public: budget(),
      outreach: budget(),
      metrics: budget(),
      challenge: budget(),
    },
    gate: createLoadGate(options.maxAtOnce ?? 1000),
    hostPlaces: createHostPlaces(options.maxAtOnce ?? 1000),
    callerAddress: createCallerAddress(options.trustedProxies ?? []),
    clock: options.clock ?? Date.now,
    answerOnce: options.answerOnce ?? (async (_request, work) => work()),
    once: (work) => work(),
    log: { error, debug: (fields, message) => log.debug(fields, message), unavailable: error },
    observe: options.observe ?? (() => undefined),
  }
  const server = createApp(deps, routes, {
    dashboardRoot: '/nonexistent',
    docsRoot: options.docsRoot ?? '/nonexistent',
    isHttps: options.isHttps ?? false,
    publicRpcUrl: options.publicRpcUrl ?? null,
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    logged,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
