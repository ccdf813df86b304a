import type { Config } from '../config.ts'
import type { Logger } from '../external/telemetry/logger.ts'
import { createRecordTrustScores } from '../services/trustHistory/createRecordTrustScores.ts'
import type { AgentStore } from '../store/agents/agentStore.ts'
import { createOwnerFactsStore } from '../store/agents/ownerFactsStore.ts'
import { createTrustHistoryStore } from '../store/agents/trustHistoryStore.ts'
import type { Db } from '../store/database/database.ts'
import { createBehaviourStore } from '../store/feed/behaviourStore.ts'
import { createRoundsWorker } from '../workers/roundsWorker.ts'

/** Pause between batches of fifty agents: a million agents take half an hour, at a twentieth of the process’s time. */
const BREATH_MS = 100

export type ComposeTrustHistoryDeps = {
  db: Db
  config: Pick<Config, 'trustHistorySeconds'>
  agents: AgentStore
  ambient: { clock: () => number; log: Logger }
}

/** Composes the history of trust scores: the rounds that record it, and the operation that returns it. */
export function composeTrustHistory({ db, config, agents, ambient }: ComposeTrustHistoryDeps) {
  const owners = createOwnerFactsStore(db.query)
  const behaviour = createBehaviourStore(db.query)
  const history = createTrustHistoryStore(db.query)
  const record = createRecordTrustScores({ db, agents, owners, behaviour, history })
  const worker = createRoundsWorker({
    failing: 'the history of trust scores cannot be kept',
    round: () => record(ambient.clock()),
    pauseMs: config.trustHistorySeconds * 1000,
    breathMs: BREATH_MS,
    log: ambient.log,
  })
  return {
    parts: { history },
    start: worker.start,
    stop: worker.stop,
  }
}
