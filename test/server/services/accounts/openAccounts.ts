import { join } from 'node:path'
import { composeAccounts } from '../../../../server/compose/accounts/composeAccounts.ts'
import { createKeyRing, toPublicJwk } from '../../../../server/external/keys/keyRing.ts'
import { readSigningKey } from '../../../../server/external/keys/readSigningKey.ts'
import { createRandomPool } from '../../../../server/external/randomPool.ts'
import type { VerifyContractSignature } from '../../../../server/external/signatureVerifier.ts'
import type { Route } from '../../../../server/middleware/serve.ts'
import type { Parts } from '../../../../server/routes/routes.ts'
import { routes } from '../../../../server/routes/routes.ts'
import { openDatabase } from '../../../../server/store/database/openDatabase.ts'
import { createDatabase } from '../../../harness/database/createDatabase.ts'
import { quickPasswordHasher } from '../../../harness/runner/quickPasswordHasher.ts'
import { serveRoutes } from '../../../harness/service/serveRoutes.ts'

export const PUBLIC_URL = 'https://svc.test'
export const APP_URL = 'https://app.svc.test'
export const CHAIN_ID = 31_337

export type OpenAccounts = Awaited<ReturnType<typeof openAccounts>>

type Options = {
  verifyContractSignature?: VerifyContractSignature | null
  signUpsPerHour?: number
  appUrl?: string
  allowSignedRequestsWithoutService?: boolean
}

/** Accounts over real HTTP, with their own database and keys, and a clock that the test moves. */
export async function openAccounts({
  verifyContractSignature = null,
  signUpsPerHour = 100_000,
  appUrl = APP_URL,
  allowSignedRequestsWithoutService = true,
}: Options = {}) {
  const { folder, files, remove } = await createDatabase()
  const db = await openDatabase(files)
  const changed: string[] = []
  const time = { now: Date.parse('2026-03-02T09:00:00Z') }
  const keys = createKeyRing(readSigningKey(join(folder, 'access-token-key.json')))
  const accounts = await composeAccounts({
    db,
    tokenKeys: keys,
    config: {
      ...{ dataDir: folder, publicUrl: PUBLIC_URL, appUrl, rates: { signUpsPerHour } },
      allowSignedRequestsWithoutService,
    },
    randomBytes: createRandomPool(),
    verifyContractSignature,
    chainId: async () => CHAIN_ID,
    onAccountChanged: async (userId) => {
      changed.push(userId)
    },
    onMailQueued: () => undefined,
    onExportRequested: () => undefined,
    passwords: quickPasswordHasher,
  })
  const table = [
    ...routes({
      accounts: accounts.parts,
      service: { publicKeys: () => keys.published(time.now).map(({ jwk }) => toPublicJwk(jwk)) },
    } as unknown as Parts),
    ...WHO_CALLS,
  ]
  const { authenticators } = accounts
  const served = await serveRoutes(table, { authenticators, max: 1_000_000, clock: () => time.now })
  return {
    ...accounts,
    db,
    time,
    /** Accounts whose trust facts were reported as changed. */
    changed,
    logged: served.logged,
    dataDir: folder,
    url: served.url,
    call: (method: string, path: string, options: CallOptions = {}) =>
      call(`${served.url}${path}`, method, options),
    async close() {
      await served.stop()
      await db.close()
      await remove()
    },
  }
}

export type CallOptions = { bearer?: string; body?: unknown; headers?: Record<string, string> }

// biome-ignore lint/suspicious/noExplicitAny: tests read answers by their documented names
export type HttpAnswer = { status: number; headers: Headers; body: any; text: string }

async function call(url: string, method: string, options: CallOptions): Promise<HttpAnswer> {
  const { bearer, body, headers = {} } = options
  const response = await fetch(url, {
    method,
    headers: {
      ...(bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: JSON.parse(text), text }
}

/** Routes of the test that return the authenticated caller. */
const WHO_CALLS: readonly Route[] = [
  whoCalls('GET', 'apiKey'),
  whoCalls('GET', 'session'),
  whoCalls('POST', 'signatureOrApiKey'),
]

function whoCalls(method: 'GET' | 'POST', access: Route['access']): Route {
  return {
    method,
    path: `/api/test/${access}`,
    access,
    budget: 'api',
    handler: ({ principal }) => ({
      body:
        'actsFor' in principal
          ? {
              ...principal,
              actsFor: [...principal.actsFor],
              writesFor: [...principal.writesFor],
              suspendedOrganizations: [...principal.suspendedOrganizations],
            }
          : principal,
    }),
  }
}
