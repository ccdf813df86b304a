import type { WebhookAnswer } from '../../external/outbound/sendWebhook.ts'
import type {
  AttemptNote,
  DeliveryError,
  WebhookDelivery,
} from '../../store/endpoints/webhookDeliveryStore.ts'
import { buildAlert } from '../alerts/createRaiseAlert.ts'
import { buildEndpointRecord } from '../endpoints/buildEndpointRecord.ts'
import { sealContexts } from '../secrets/sealedValues.ts'
import { type ActiveWebhook, isActiveWebhook, TEST_EVENT, type WebhookDeps } from './webhookDeps.ts'

/**
 * Makes one attempt at a claimed delivery and stores the result.
 *
 * Any 2xx is a success. A redirect is a failure like any other status, because a signed body must not go where its owner
 * did not send it. 410 means that the receiver is permanently gone: the webhook is disabled and its owner alerted. Nothing
 * is sent for a suspended owner: its deliveries wait until the suspension ends, at most as long as retries last.
 *
 * @param signal Aborts when the service stops; the delivery is then released as if it had not been attempted. Source:
 * docs/webhooks.md; RFC 9110 §15.5.11.
 */
export async function attemptDelivery(
  deps: WebhookDeps,
  delivery: WebhookDelivery,
  signal: AbortSignal,
): Promise<void> {
  const { deliveries, webhooks } = deps.stores
  const startedAt = deps.settings.clock()
  const webhook = await webhooks.ofEndpoint(delivery.endpointId)
  const attempt = { delivery, startedAt }
  if (!isActiveWebhook(webhook)) return cancel(deps, attempt)
  if (await deps.stores.interventions.find(webhook.ownerId)) return hold(deps, attempt)
  const { endpointId, eventId, payload, eventType } = delivery
  const began = performance.now()
  let answer: WebhookAnswer
  try {
    answer = await deps.send(
      {
        ...{ url: webhook.url, eventId, payload, now: startedAt },
        secrets: secretsOf(deps, webhook, startedAt),
        isProbe: eventType === TEST_EVENT,
      },
      signal,
    )
  } catch (error) {
    await deps.inSharedTransaction((trx) => deliveries.release(trx, delivery, startedAt))
    if (signal.aborted) return
    throw error
  }
  const note: AttemptNote = {
    attempts: delivery.attempts,
    lastAttemptAt: startedAt,
    lastDurationMs: Math.round(performance.now() - began),
    lastStatus: answer.status,
    lastError: failureOf(answer),
  }
  await settle(deps, delivery, note)
  if (answer.status === 410) await disable(deps, { endpointId, url: webhook.url })
}

function secretsOf(deps: WebhookDeps, webhook: ActiveWebhook, now: number): string[] {
  const { secret, previousSecret, previousSecretUntil } = webhook
  const overlaps = previousSecret !== null && previousSecretUntil !== null && previousSecretUntil > now
  const context = sealContexts.webhookSecret(webhook.endpointId)
  return [secret, ...(overlaps ? [previousSecret] : [])].map((sealed) => deps.secrets.open(sealed, context))
}

function failureOf(answer: WebhookAnswer): DeliveryError | null {
  if (answer.status === null) return answer.fault
  if (answer.status >= 200 && answer.status < 300) return null
  if (answer.status >= 300 && answer.status < 400) return 'redirected'
  return answer.status === 410 ? 'gone' : 'unexpected_status'
}

async function settle(deps: WebhookDeps, delivery: WebhookDelivery, note: AttemptNote): Promise<void> {
  const { deliveries } = deps.stores
  const now = deps.settings.clock()
  const isDone = note.lastError === null
  const isFinal = delivery.eventType === TEST_EVENT || note.lastStatus === 410
  const delayMs = isFinal ? null : retryDelayMs(delivery.attempts)
  await deps.inSharedTransaction((trx) =>
    isDone || delayMs === null
      ? deliveries.settle(trx, delivery.id, { status: isDone ? 'delivered' : 'failed', now, note })
      : deliveries.retryAt(trx, delivery.id, { nextAttemptAt: now + delayMs, note }),
  )
}

async function cancel(
  deps: WebhookDeps,
  { delivery, startedAt }: { delivery: WebhookDelivery; startedAt: number },
): Promise<void> {
  const { attempts, lastAttemptAt, lastDurationMs, lastStatus, lastError } = delivery
  const note = { attempts, lastAttemptAt, lastDurationMs, lastStatus, lastError }
  await deps.inSharedTransaction((trx) =>
    deps.stores.deliveries.settle(trx, delivery.id, { status: 'cancelled', now: startedAt, note }),
  )
}

/** Releases a delivery of a suspended owner for a later look, as if it had not been attempted. */
async function hold(
  deps: WebhookDeps,
  attempt: { delivery: WebhookDelivery; startedAt: number },
): Promise<void> {
  const { delivery, startedAt } = attempt
  if (startedAt - delivery.createdAt > HELD_MS_MAX) return cancel(deps, attempt)
  await deps.inSharedTransaction((trx) =>
    deps.stores.deliveries.release(trx, delivery, startedAt + HELD_PAUSE_MS),
  )
}

async function disable(
  { db, stores, settings }: WebhookDeps,
  { endpointId, url }: { endpointId: string; url: string },
): Promise<void> {
  const { clock, randomBytes } = settings
  const now = clock()
  await db.transaction(async (trx) => {
    if (!(await stores.webhooks.disable(trx, { endpointId, url, now }))) return
    const endpoint = await stores.endpoints.byAnyId(endpointId, trx)
    if (endpoint === null) return
    await stores.deliveries.cancelPending(trx, endpointId, now)
    const record = buildEndpointRecord(
      'endpoint.webhook_disabled',
      endpoint,
      { webhookUrl: url },
      { now, randomBytes },
    )
    await stores.records.append(trx, record)
    await stores.alerts.raise(
      buildAlert(
        {
          ownerId: endpoint.ownerId,
          code: 'endpoint.webhook_disabled',
          severity: 'warning',
          subject: endpoint.id,
          data: { endpointId: endpoint.id, ...(endpoint.svceId === null ? {} : { svceId: endpoint.svceId }) },
        },
        { now, randomBytes },
      ),
      trx,
    )
  })
}

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** Pauses between attempts: the first is immediate, the tenth and last three days later. */
const PAUSES_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
]

/** How often a held delivery is looked at, and its greatest age: an event older than the last retry helps nobody. */
const HELD_PAUSE_MS = 10 * MINUTE_MS
const HELD_MS_MAX = PAUSES_MS.reduce((sum, pause) => sum + pause, 0)

/**
 * Returns the delay before the next attempt; null after the last.
 *
 * @param attempts Attempts made so far. Source: Standard Webhooks "Deliverability and reliability".
 */
function retryDelayMs(attempts: number): number | null {
  return PAUSES_MS[attempts - 1] ?? null
}
