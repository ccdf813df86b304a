import type { Ambient } from '../ambient.ts'
import { composeAudit } from '../audit/composeAudit.ts'
import { type ComposeChainDeps, composeChain } from '../chain/composeChain.ts'
import type { Base } from './composeBase.ts'

export type Anchoring = ReturnType<typeof composeAnchoring>

/** Composes the chain and the audit log that is anchored there. */
export function composeAnchoring(
  { db, config, database, signingKeys, tracing, ambient: { clock, log, randomBytes } }: Base,
  { startLocalChain }: Ambient,
  calls: Pick<ComposeChainDeps, 'onIdentityConfirmed' | 'onTokenChanged' | 'onReplayed'>,
) {
  const chain = composeChain({
    ...{ db, config, clock, log, randomBytes },
    ...(startLocalChain ? { startLocalChain } : {}),
    isOnlyServer: config.databaseUrl === undefined,
    presence: database.presence,
    traceRound: tracing?.traceRound,
    ...calls,
  })
  const audit = composeAudit({
    ...{ db, read: database.read, config, clock, log, logId: chain.logId, drawLogId: chain.drawLogId },
    wakeRelayer: chain.wake,
    checkpointKeys: signingKeys.rings.checkpoints,
  })
  return { chain, audit }
}
