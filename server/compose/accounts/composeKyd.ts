import type { Config } from '../../config.ts'
import { openSecretBoxes, type SecretsConfig } from '../../external/keys/openSecretBoxes.ts'
import type { Logger } from '../../external/telemetry/logger.ts'
import { type BudgetRule, createRateBudget, type RateBudget } from '../../middleware/rateBudget.ts'
import { createUploadGate } from '../../services/kyd/createUploadGate.ts'
import { deleteKydDocuments } from '../../services/kyd/deleteKydDocuments.ts'
import { createKydStore } from '../../store/accounts/kydStore.ts'
import { createMailOutboxStore } from '../../store/accounts/mailOutboxStore.ts'
import { createSessionStore } from '../../store/accounts/sessionStore.ts'
import { createUserStore } from '../../store/accounts/userStore.ts'
import { createAlertStore } from '../../store/approvals/alertStore.ts'
import { createAuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { Db } from '../../store/database/database.ts'
import { createInterventionStore } from '../../store/operator/interventionStore.ts'
import { createOutboxStore } from '../../store/relayer/outboxStore.ts'
import { createRoundsWorker } from '../../workers/roundsWorker.ts'

export type ComposeKydDeps = {
  db: Db
  config: SecretsConfig & Pick<Config, 'appUrl' | 'kydRetentionDays'>
  ambient: { clock: () => number; randomBytes: (length: number) => Uint8Array; log: Logger }
  /** Creates a budget across processes; by default, for this process only. */
  budgetOf?: (rule: BudgetRule) => RateBudget
  /** Called after the commit and before the response when the inputs of a trust score have changed for an account. */
  onAccountChanged(userId: string): Promise<void>
  /** Called after the commit when a mail is waiting. */
  onMailQueued(): void
}

/** Maximum uploads per account and day. */
const UPLOADS = { name: 'kyd-uploads', max: 10, windowSeconds: 24 * 60 * 60 }
/** Maximum delay of deleting documents after their retention. */
const PAUSE_MS = 60_000

/** Composes identity verification: submissions, decisions and the deletion of documents. */
export function composeKyd({ db, config, ambient, ...deps }: ComposeKydDeps) {
  const { clock, randomBytes, log } = ambient
  const kyd = createKydStore(db.query)
  const users = createUserStore(db.query)
  const { documents, secrets } = openSecretBoxes(config)
  const boxes = { documents, secrets }
  const retentionDays = config.kydRetentionDays
  const parts = {
    ...{ db, kyd, users, boxes, randomBytes, retentionDays, log },
    ...boxes,
    sessions: createSessionStore(db.query),
    interventions: createInterventionStore(db.query),
    gate: createUploadGate(),
    budget: (deps.budgetOf ?? createRateBudget)(UPLOADS),
    stores: {
      kyd,
      alerts: createAlertStore(db.query),
      records: createAuditRecordStore(db.query),
      outbox: createOutboxStore(db.query),
    },
    post: {
      outbox: createMailOutboxStore(),
      appUrl: config.appUrl,
      randomBytes,
      wake: deps.onMailQueued,
    },
    onAccountChanged: deps.onAccountChanged,
  }
  const worker = createRoundsWorker({
    failing: 'documents cannot be deleted',
    round: () => deleteKydDocuments(parts, clock()),
    pauseMs: PAUSE_MS,
    log,
  })
  return { parts, start: worker.start, stop: worker.stop }
}
