import type { Config } from '../config.ts'
import { openSecretBoxes, type SecretsConfig } from '../external/keys/openSecretBoxes.ts'
import { createSendWebhook } from '../external/outbound/sendWebhook.ts'
import type { Logger } from '../external/telemetry/logger.ts'
import type { Tracing } from '../external/telemetry/tracing.ts'
import { createSharedTransaction } from '../services/webhooks/createSharedTransaction.ts'
import { createWebhookDispatcher } from '../services/webhooks/createWebhookDispatcher.ts'
import { createEnqueueWebhooks } from '../services/webhooks/enqueueWebhooks.ts'
import { pruneDeliveries } from '../services/webhooks/pruneDeliveries.ts'
import type { WebhookDeps } from '../services/webhooks/webhookDeps.ts'
import { createAlertStore } from '../store/approvals/alertStore.ts'
import { createAuditRecordStore } from '../store/audit/auditRecordStore.ts'
import { createRecordOriginStore } from '../store/audit/recordOriginStore.ts'
import type { Db } from '../store/database/database.ts'
import { createEndpointStore } from '../store/endpoints/endpointStore.ts'
import { createWebhookDeliveryStore } from '../store/endpoints/webhookDeliveryStore.ts'
import { createWebhookStore } from '../store/endpoints/webhookStore.ts'
import { createInterventionStore } from '../store/operator/interventionStore.ts'
import { createRoundsWorker } from '../workers/roundsWorker.ts'
import { waitWithGrace } from '../workers/waitWithGrace.ts'
import { createWriteAs } from './createWriteAs.ts'

export type ComposeWebhooksDeps = {
  db: Db
  config: SecretsConfig & Pick<Config, 'allowPrivateNetwork'>
  ambient: { clock: () => number; randomBytes: (length: number) => Uint8Array; log: Logger }
  /** Calls a listener whenever the feed has advanced. */
  onFeedAdvanced: (listener: () => void) => void
  tracing: Tracing | undefined
}

/** Maximum delay until an event from another process, or a due attempt, is noticed. */
const PAUSE_MS = 1_000
const PRUNE_PAUSE_MS = 600_000

/** Composes webhooks: their operations, the loop that queues events and the loop that sends them. */
export function composeWebhooks({ db, config, ambient, onFeedAdvanced, tracing }: ComposeWebhooksDeps) {
  const { clock, randomBytes, log } = ambient
  const { allowPrivateNetwork } = config
  const records = createAuditRecordStore(db.query)
  const { traceHeaders } = tracing ?? {}
  const send = createSendWebhook({ allowPrivate: allowPrivateNetwork, traceHeaders })
  const deps: WebhookDeps = {
    db,
    writeAs: createWriteAs(db),
    inSharedTransaction: createSharedTransaction(db),
    stores: {
      endpoints: createEndpointStore(db.query),
      webhooks: createWebhookStore(db.query),
      deliveries: createWebhookDeliveryStore(db.query),
      records,
      alerts: createAlertStore(db.query),
      interventions: createInterventionStore(db.query),
    },
    secrets: openSecretBoxes(config).secrets,
    send: tracing?.traceDelivery(send, createRecordOriginStore(db.query).find) ?? send,
    onQueued: () => sending.wake(),
    settings: { allowPrivateNetwork, clock, randomBytes },
  }
  const dispatcher = createWebhookDispatcher({
    ...deps,
    onSettled: () => sending.wake(),
    onFailure: (err) => log.error({ err }, 'the outcome of a webhook could not be stored'),
  })
  const worker = (failing: string, round: () => Promise<number>, pauseMs: number) =>
    createRoundsWorker({ failing, round, pauseMs, log })
  const sending = worker('webhooks cannot be sent', dispatcher.round, PAUSE_MS)
  const enqueue = createEnqueueWebhooks({ ...deps, logSize: records.size })
  const queueing = worker('events cannot be queued for webhooks', enqueue, PAUSE_MS)
  const pruning = worker('old deliveries cannot be removed', () => pruneDeliveries(deps), PRUNE_PAUSE_MS)
  onFeedAdvanced(queueing.wake)

  const stopInOrder = async () => {
    for (const each of [queueing, sending, pruning]) await each.stop()
    await dispatcher.stop()
  }
  return {
    parts: deps,
    start() {
      for (const each of [queueing, sending, pruning]) each.start()
    },
    stop: () => waitWithGrace(stopInOrder()),
  }
}
