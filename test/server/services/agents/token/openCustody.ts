import { join } from 'node:path'
import type { Hex } from 'viem'
import { composeAccounts } from '../../../../../server/compose/accounts/composeAccounts.ts'
import { composeChain } from '../../../../../server/compose/chain/composeChain.ts'
import { composeTokens } from '../../../../../server/compose/chain/composeTokens.ts'
import { type ComposedRegistry, composeRegistry } from '../../../../../server/compose/composeRegistry.ts'
import { readConfig } from '../../../../../server/config.ts'
import { createKeyRing } from '../../../../../server/external/keys/keyRing.ts'
import { readSigningKey } from '../../../../../server/external/keys/readSigningKey.ts'
import { createRandomPool } from '../../../../../server/external/randomPool.ts'
import { createLogger } from '../../../../../server/external/telemetry/logger.ts'
import type { Parts } from '../../../../../server/routes/routes.ts'
import { routes } from '../../../../../server/routes/routes.ts'
import { createUserStore } from '../../../../../server/store/accounts/userStore.ts'
import { openDatabase } from '../../../../../server/store/database/openDatabase.ts'
import { createRpc } from '../../../../harness/chain/createRpc.ts'
import { createDatabase } from '../../../../harness/database/createDatabase.ts'
import { findFreePort } from '../../../../harness/runner/findFreePort.ts'
import { quickPasswordHasher } from '../../../../harness/runner/quickPasswordHasher.ts'
import { waitUntil } from '../../../../harness/runner/waitUntil.ts'
import { api } from '../../../../harness/service/api.ts'
import { serveRoutes } from '../../../../harness/service/serveRoutes.ts'
import { NO_LIMITS } from '../openRegistry.ts'

export type Custody = Awaited<ReturnType<typeof openCustody>>

/**
 * Accounts, agents and a real local chain over one database, with HTTP. It can be restarted with another public URL, and
 * over a chain that lost its state.
 *
 * @param settings Additional environment variables.
 */
export async function openCustody(settings: Record<string, string> = {}) {
  const { folder, files, remove } = await createDatabase()
  const chainPort = await findFreePort()
  let running = await start('https://first.svc-host.io')

  async function start(publicUrl: string) {
    const db = await openDatabase(files)
    const randomBytes = createRandomPool()
    const log = createLogger({ level: 'silent' })
    const config = readConfig({
      CHAIN_PORT: String(chainPort),
      DATA_DIR: folder,
      REGISTRATION_FILES_DIR: join(folder, 'registration-files'),
      PUBLIC_URL: publicUrl,
      ...settings,
    })
    const chain = composeChain({
      db,
      config,
      clock: Date.now,
      log,
      randomBytes,
      onIdentityConfirmed: (svcId) => registry.onIdentityConfirmed(svcId),
      onTokenChanged: (svcId) => registry.onTokenChanged(svcId),
    })
    const keys = createKeyRing(readSigningKey(join(config.dataDir, 'access-token-key.json')))
    const accounts = await composeAccounts({
      db,
      tokenKeys: keys,
      config,
      randomBytes,
      verifyContractSignature: chain.verifyContractSignature,
      chainId: async () => (await chain.overview()).chainId,
      onAccountChanged: async () => undefined,
      onMailQueued: () => undefined,
      onExportRequested: () => undefined,
      passwords: quickPasswordHasher,
    })
    const registry: ComposedRegistry = composeRegistry({
      db,
      config,
      ambient: { clock: Date.now, randomBytes, log },
      ensureWalletAccount: accounts.ensureWalletAccount,
      budgets: NO_LIMITS,
      agentTokens: accounts.agentTokens,
      cardKeys: keys,
      chain,
      raiseAlert: async () => undefined,
      caches: {
        onAgentChanged: () => undefined,
        onEndpointChanged: () => undefined,
        onTierChanged: async () => undefined,
      },
    })
    const tokens = composeTokens({
      db,
      config,
      chain,
      registry,
      ambient: { clock: Date.now, randomBytes, log },
    })
    const parts = {
      accounts: accounts.parts,
      agents: registry.parts,
      endpoints: registry.parts,
    } as unknown as Parts
    const served = await serveRoutes(routes(parts), {
      authenticators: accounts.authenticators,
      max: 1_000_000,
    })
    await chain.start()
    tokens.start()
    return {
      ...{ db, chain, served, registry },
      settings: { publicUrl, allowPrivateNetwork: true, randomBytes, clock: Date.now },
      async stop() {
        await served.stop()
        await tokens.stop()
        await chain.stop()
        await db.close()
      },
    }
  }

  const call = (method: string, path: string, request: Parameters<typeof api>[3] = {}) =>
    api(running.served.url, method, path, request)
  const custody = {
    call,
    db: () => running.db,
    rows: (sql: string, ...values: string[]) => running.db.query.raw(sql, values),
    /** What the use cases of agents depend on. */
    agentDeps: () => running.registry.parts,
    chain: () => running.chain.client,
    registry: async () => (await running.chain.overview()).contracts.identityRegistry as Hex,
    url: () => running.served.url,
    rpcUrl: `http://127.0.0.1:${chainPort}`,

    /** Stops it and the local chain, and starts it with a public URL. */
    async restart(publicUrl: string) {
      await running.stop()
      running = await start(publicUrl)
    },

    /** Registers an agent like an approval, for an owner who may have no wallet. */
    async register(ownerId: string, wallets: Hex[] = []): Promise<string> {
      const { db, registry } = running
      const registration = {
        name: 'Buyer',
        ...{
          description: null,
          agentType: null,
          apiEndpoint: null,
          image: null,
          model: null,
          framework: null,
        },
        ...{ protocols: [], declarations: {}, pdlss: {} },
      }
      const input = { ownerId, wallets, registration, now: Date.now() }
      return (await db.transaction((trx) => registry.registerForAccount(trx, input))).svcId
    },

    linkWallet: (address: Hex, userId: string) =>
      running.db.transaction((trx) =>
        createUserStore(running.db.query).insertWallet(trx, { address, userId, createdAt: Date.now() }),
      ),

    /** Waits until the owner sees the expected state of the agent’s identity. */
    seen: (svcId: string, expected: object, bearer?: string) =>
      waitUntil(async () => {
        const { agent } = (await call('GET', `/api/agents/${svcId}`, bearer === undefined ? {} : { bearer }))
          .body
        const found = { ...agent.onChainIdentity, blockchainStatus: agent.blockchainStatus }
        return Object.entries(expected).every(([key, value]) => found[key] === value) ? agent : null
      }),

    /** Waits until the relayer is idle. */
    settled: () => waitUntil(async () => ((await running.chain.relayerStatus()).backlog === 0 ? true : null)),

    /** Sends a transaction of an account for which the local chain signs. */
    async send(from: Hex, to: Hex, data: Hex) {
      await createRpc(custody.rpcUrl)('eth_sendTransaction', [{ from, to, data }])
    },

    async close() {
      await running.stop()
      await remove()
    },
  }
  return custody
}
