import { join } from 'node:path'
import { sha256Hex } from '@svc/core/hash.ts'
import { buildSignedRequestMessage } from '@svc/core/signing/buildSignedRequestMessage.ts'
import { expect } from 'chai'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { composeAccounts } from '../../../../server/compose/accounts/composeAccounts.ts'
import { composeRegistrationRequests } from '../../../../server/compose/accounts/composeRegistrationRequests.ts'
import { composeDomains } from '../../../../server/compose/composeDomains.ts'
import { composeLists } from '../../../../server/compose/composeLists.ts'
import { type ComposeRegistryDeps, composeRegistry } from '../../../../server/compose/composeRegistry.ts'
import { apiError } from '../../../../server/errors.ts'
import { createKeyRing, type KeyRing, toPublicJwk } from '../../../../server/external/keys/keyRing.ts'
import { readSigningKey } from '../../../../server/external/keys/readSigningKey.ts'
import { createRandomPool } from '../../../../server/external/randomPool.ts'
import { createLogger } from '../../../../server/external/telemetry/logger.ts'
import type { Parts } from '../../../../server/routes/routes.ts'
import { routes } from '../../../../server/routes/routes.ts'
import { createRaiseAlert } from '../../../../server/services/alerts/createRaiseAlert.ts'
import type { HostDeps } from '../../../../server/services/domains/hostDeps.ts'
import { createUserStore } from '../../../../server/store/accounts/userStore.ts'
import { createAlertStore } from '../../../../server/store/approvals/alertStore.ts'
import { createAuditRecordStore } from '../../../../server/store/audit/auditRecordStore.ts'
import { openDatabase } from '../../../../server/store/database/openDatabase.ts'
import { createOutboxStore } from '../../../../server/store/relayer/outboxStore.ts'
import { createDatabase } from '../../../harness/database/createDatabase.ts'
import { placeRecords } from '../../../harness/database/placeRecords.ts'
import { quickPasswordHasher } from '../../../harness/runner/quickPasswordHasher.ts'
import { api } from '../../../harness/service/api.ts'
import { serveRoutes } from '../../../harness/service/serveRoutes.ts'
import { NO_TOKENS } from './token/noTokens.ts'

export const PUBLIC_URL = 'https://registry.svc-host.io'

export type Registry = Awaited<ReturnType<typeof openRegistry>>

type Options = {
  allowPrivateNetwork?: boolean
  chain?: ComposeRegistryDeps['chain']
  log?: ComposeRegistryDeps['ambient']['log']
  /** What is published on the hosts where somebody registers; by default nothing. */
  findHostProof?: HostDeps['find']
}

/** As many registrations as come. */
export const NO_LIMITS: ComposeRegistryDeps['budgets'] = {
  ofNetwork: { take: () => undefined },
  ofAccount: { take: () => undefined },
}

/** An unreachable chain. */
const NO_CHAIN: ComposeRegistryDeps['chain'] = {
  overview: async () => {
    throw apiError('CHAIN_UNAVAILABLE')
  },
  ownerNonce: async () => {
    throw apiError('CHAIN_UNAVAILABLE')
  },
  verifyContractSignature: null,
  tokens: NO_TOKENS,
}

/** Accounts, agents and endpoints over real HTTP, with their own database, keys and files. */
export async function openRegistry({
  allowPrivateNetwork = false,
  chain = NO_CHAIN,
  log = createLogger({ level: 'silent' }),
  findHostProof = async () => ({ method: null, failures: [] }),
}: Options = {}) {
  const { folder, files, remove } = await createDatabase()
  const db = await openDatabase(files)
  const time = { now: Date.parse('2026-11-21T09:00:00Z') }
  const randomBytes = createRandomPool()
  const changed: string[] = []
  const registrationFilesDir = join(folder, 'registration-files')
  const config = {
    dataDir: folder,
    publicUrl: PUBLIC_URL,
    appUrl: PUBLIC_URL,
    registrationFilesDir,
    allowPrivateNetwork,
    rates: { signUpsPerHour: 100_000 },
  }
  const [tokenKeys, cardKeys] = ['access-token-key.json', 'agent-card-key.json'].map((name) =>
    createKeyRing(readSigningKey(join(folder, name))),
  ) as [KeyRing, KeyRing]
  const accounts = await composeAccounts({
    db,
    tokenKeys,
    config,
    randomBytes,
    verifyContractSignature: null,
    chainId: async () => 31_337,
    onAccountChanged: async () => undefined,
    onMailQueued: () => undefined,
    onExportRequested: () => undefined,
    passwords: quickPasswordHasher,
  })
  const raiseAlert = createRaiseAlert({
    alerts: createAlertStore(db.query),
    randomBytes,
    onFailure: (error) => {
      throw error
    },
  })
  const caches = {
    onAgentChanged: (svcId: string) => void changed.push(svcId),
    onEndpointChanged: ({ id }: { id: string }) => void changed.push(id),
    onTierChanged: async ({ id }: { id: string }) => void changed.push(id),
  }
  const registry = composeRegistry({
    db,
    config: { ...config, ipfsApiUrl: undefined },
    ambient: { clock: () => time.now, randomBytes, log },
    ensureWalletAccount: accounts.ensureWalletAccount,
    budgets: NO_LIMITS,
    agentTokens: accounts.agentTokens,
    cardKeys,
    chain,
    raiseAlert,
    caches,
  })
  const registrationRequests = composeRegistrationRequests({
    db,
    config,
    passkeys: accounts.passkeys,
    registration: {
      register: registry.registerForAccount,
      onRegistered: async (svcId) => {
        changed.push(svcId)
        await registry.publishFile(svcId)
      },
    },
    budgets: NO_LIMITS,
    raiseAlert,
    onAccountChanged: async () => undefined,
    onMailQueued: () => undefined,
    ambient: { clock: () => time.now, randomBytes, log: createLogger({ level: 'silent' }) },
  })
  const domains = composeDomains({
    db,
    unkeyedDb: db,
    config: { ...config, dnsServers: [] },
    hostTokenKey: new Uint8Array(32).fill(7),
    ambient: { clock: () => time.now, randomBytes, log: createLogger({ level: 'silent' }) },
    raiseAlert,
    caches,
    onMailQueued: () => undefined,
  })
  const hosts = { ...domains.parts.hosts, find: findHostProof }
  const parts = {
    accounts: accounts.parts,
    registrations: registrationRequests.parts,
    agents: { ...registry.parts, ...composeLists((work) => work(db.query), registry.stores) },
    endpoints: { ...registry.parts, ...domains.parts, hosts },
    service: {
      publicKeys: () => [tokenKeys, cardKeys].map((ring) => toPublicJwk(ring.signing(time.now).jwk)),
    },
  } as unknown as Parts
  const { authenticators } = accounts
  const options = { authenticators, max: 1_000_000, clock: () => time.now }
  const served = await serveRoutes(routes(parts), options)
  const call = (method: string, path: string, request: Parameters<typeof api>[3] = {}) =>
    api(served.url, method, path, request)
  return {
    ...registry,
    db,
    time,
    /** Identifiers whose cache entries were invalidated. */
    changed,
    registrationFilesDir,
    dataDir: folder,
    url: served.url,
    records: createAuditRecordStore(db.query),
    outbox: createOutboxStore(db.query),
    call,
    /** The whole log, oldest first, its entries parsed. */
    async log() {
      await placeRecords(db.query)
      const rows = await db.query('audit_records').select('*').orderBy('seq')
      return rows.map((row) => ({ ...row, entry: JSON.parse(row.entry), event: JSON.parse(row.event_data) }))
    },
    /** Counts stored rows, to verify that a refusal stored nothing. */
    async stored() {
      await placeRecords(db.query)
      const count = async (table: string) => Number((await db.query(table).count({ n: '*' }))[0]?.n)
      return {
        agents: await count('agents'),
        endpoints: await count('endpoints'),
        records: await count('audit_records'),
        intents: await count('relayer_intents'),
        users: await count('users'),
      }
    },
    linkWallet: (address: Hex, userId: string) =>
      db.transaction((trx) =>
        createUserStore(db.query).insertWallet(trx, { address, userId, createdAt: time.now }),
      ),
    async close() {
      await served.stop()
      await db.close()
      await remove()
    },
  }
}

let drawn = 0

/** A key that owns agents, with its signed requests. */
export function newSigner() {
  const account = privateKeyToAccount(generatePrivateKey())
  return {
    account,
    address: account.address,
    /** Returns the headers of a signed request, with a new nonce by default. */
    async headersOf(now: number, path: string, body: unknown, nonce = `test-nonce-${++drawn}-0123456789`) {
      const timestamp = String(Math.floor(now / 1000))
      const message = buildSignedRequestMessage({
        method: 'POST',
        path,
        timestamp,
        nonce,
        bodySha256Hex: sha256Hex(JSON.stringify(body)),
      })
      return {
        'X-Svc-Signature': await account.signMessage({ message }),
        'X-Svc-Timestamp': timestamp,
        'X-Svc-Nonce': nonce,
      }
    },
  }
}

export type Signer = ReturnType<typeof newSigner>

const REGISTER = '/api/agents/register'

/** Sends a signed registration. */
export async function registerAgent(registry: Registry, signer: Signer, body: unknown, nonce?: string) {
  const headers = await signer.headersOf(registry.time.now, REGISTER, body, nonce)
  return registry.call('POST', REGISTER, { body, headers })
}

/** Registers an agent, which must succeed, and returns its identifier. */
export async function registeredAgent(registry: Registry, signer: Signer, body: object): Promise<string> {
  const answer = await registerAgent(registry, signer, body)
  expect(answer.status, JSON.stringify(answer.body)).to.equal(201)
  return answer.body.data.agent.svcId
}

let people = 0

/** Registers an account with an organisation and a key for each, and signs in. */
export async function newPerson({ call }: Pick<Registry, 'call'>) {
  const email = `person${++people}@people.io`
  const account = { email, password: 'correct horse battery', fullName: 'A person', accountType: 'business' }
  const { data } = (await call('POST', '/api/auth/register', { body: account })).body
  const bearer: string = data.accessToken
  const organization = await call('POST', '/api/organizations', { bearer, body: { name: 'Shop' } })
  const organizationId: string = organization.body.organizationId
  const keyOf = async (body: object): Promise<string> =>
    (await call('POST', '/api/api-keys', { bearer, body })).body.key
  return {
    bearer,
    userId: data.user.id as string,
    developerId: data.user.developerId as string,
    organizationId,
    personalKey: await keyOf({ name: 'mine' }),
    organizationKey: await keyOf({ name: 'shop', organizationId }),
  }
}

export type Person = Awaited<ReturnType<typeof newPerson>>
