/**
 * Hands over the audit log and the tokens in custody from the relayer's former account to its present one:
 * `npm run rotate-relayer`, with the settings of the service, which runs with both keys.
 *
 * Exits with 0 once the former key has nothing left to do, otherwise with 1 and an error message.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { composeChain } from '../server/compose/chain/composeChain.ts'
import type { Config } from '../server/config.ts'
import { createLogger } from '../server/external/telemetry/logger.ts'
import { openDatabase } from '../server/store/database/openDatabase.ts'
import { requireServiceDatabase } from './requireServiceDatabase.ts'
import { rotateRelayer } from './rotate/rotateRelayer.ts'
import { runOperation } from './runOperation.ts'

const POLL_MS = 1_000

const USAGE = `npm run rotate-relayer

Orders what hands the audit log and the tokens in custody over from the account of RELAYER_PRIVATE_KEY_FORMER to that of
RELAYER_PRIVATE_KEY, and waits until the service has done it. Set both, restart every process, and run this. It may be
interrupted and run again. docs/operations.md describes every step.`

async function run(config: Config): Promise<void> {
  if (config.chain.local)
    throw new Error(
      'Set RPC_URL, RELAYER_PRIVATE_KEY and RELAYER_PRIVATE_KEY_FORMER, as the service has them.',
    )
  await requireServiceDatabase(config)
  const db = await openDatabase(config)
  try {
    const chain = composeChain({
      ...{ db, config, clock: Date.now, log: createLogger(config.log), randomBytes },
      onIdentityConfirmed: async () => undefined,
      onTokenChanged: async () => undefined,
    })
    await rotateRelayer({
      handOver: chain.handOver,
      print: console.log,
      pause: () => pause(POLL_MS),
      clock: Date.now,
    })
  } finally {
    await db.close()
  }
}

await runOperation(async (settings) => {
  const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h' } } })
  if (values.help) console.log(USAGE)
  else await run(settings())
})
