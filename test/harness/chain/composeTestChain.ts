import { randomBytes } from 'node:crypto'
import {
  type ChainPart,
  type ComposeChainDeps,
  composeChain,
} from '../../../server/compose/chain/composeChain.ts'
import { readConfig } from '../../../server/config.ts'
import { createLogger } from '../../../server/external/telemetry/logger.ts'

/** Composes the chain of a database from settings, without a service around it; `deps` replaces what is needed of that. */
export function composeTestChain(
  db: ComposeChainDeps['db'],
  settings: Record<string, string>,
  deps: Partial<ComposeChainDeps> = {},
): ChainPart {
  return composeChain({
    db,
    config: readConfig(settings),
    clock: Date.now,
    log: createLogger({ level: 'silent' }),
    randomBytes,
    onIdentityConfirmed: async () => undefined,
    onTokenChanged: async () => undefined,
    ...deps,
  })
}
