/**
 * Deploys the contracts to the configured chain, opens the audit log, and stores the addresses in the database, where the
 * server finds them when it starts: `npm run deploy`, with RPC_URL and RELAYER_PRIVATE_KEY set.
 *
 * Contracts that are already stored or configured are checked and not deployed again.
 */
import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { composeChain } from '../server/compose/chain/composeChain.ts'
import type { Config } from '../server/config.ts'
import { createLogger } from '../server/external/telemetry/logger.ts'
import { openDatabase } from '../server/store/database/openDatabase.ts'
import { runOperation } from './runOperation.ts'

const USAGE = `npm run deploy

Deploys the contracts to the chain at RPC_URL, paid for by RELAYER_PRIVATE_KEY, and stores their addresses in the database of the
service. Set both, and DATA_DIR or DATABASE_URL with SECRETS_KEY, as for the service. It may be interrupted and run again.`

await runOperation(async (settings) => {
  const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h' } } })
  if (values.help) console.log(USAGE)
  else await deploy(settings())
})

async function deploy(config: Config): Promise<void> {
  if (config.chain.local) {
    throw new Error(
      'Set RPC_URL and RELAYER_PRIVATE_KEY: the server itself deploys to its local chain when it starts.',
    )
  }
  const db = await openDatabase(config)
  try {
    const chain = composeChain({
      db,
      config,
      clock: Date.now,
      log: createLogger(config.log),
      randomBytes,
      onIdentityConfirmed: async () => undefined,
      onTokenChanged: async () => undefined,
    })
    await chain.deploy()
    const { chainId, contracts, logId } = await chain.overview()
    console.log(`chain               ${chainId}`)
    console.log(`identity registry   ${contracts.identityRegistry}`)
    console.log(`reputation registry ${contracts.reputationRegistry}`)
    console.log(`validation registry ${contracts.validationRegistry}`)
    console.log(`audit log           ${contracts.auditLog}`)
    console.log(`log id              ${logId}`)
  } finally {
    await db.close()
  }
}
