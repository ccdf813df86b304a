import { openSecretBoxes, type SecretsConfig } from '../external/keys/openSecretBoxes.ts'
import type { ServeDeps } from '../middleware/serve.ts'
import { type AnswerOnceDeps, answerOnce } from '../services/idempotency/answerOnce.ts'
import type { Db } from '../store/database/database.ts'
import { type ClaimedWrites, createClaimedWrites, groundsAmong } from '../store/recorder/claimedWrites.ts'
import { createDecisionGroundsStore } from '../store/recorder/decisionGroundsStore.ts'
import { createIdempotencyStore } from '../store/recorder/idempotencyStore.ts'

/**
 * Composes Idempotency-Keys.
 *
 * @returns `answerOnce` and `runOnce` for requests, and what use cases write through: the database, and the recorder
 * wrapped by `wrapRecorder`.
 */
export function composeIdempotency(deps: {
  db: Db
  config: SecretsConfig
  randomBytes: (length: number) => Uint8Array
}): Omit<ClaimedWrites, 'runWithClaim'> & { answerOnce: ServeDeps['answerOnce'] } {
  const { config, randomBytes } = deps
  const claims = createIdempotencyStore(deps.db.query)
  const { runWithClaim, ...writes } = createClaimedWrites(deps.db, claims)
  const { secrets } = openSecretBoxes(config)
  const { areInForce } = createDecisionGroundsStore(deps.db.query)
  const once: AnswerOnceDeps = {
    claims,
    runWithClaim,
    secrets,
    randomBytes,
    areInForce: (kept, now) => areInForce(groundsAmong(kept), now),
    running: new Map(),
  }
  return { ...writes, answerOnce: (request, work) => answerOnce(once, request, work) }
}
