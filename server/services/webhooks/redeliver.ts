import { generateUuidV7 } from '@svc/core/ids/uuids.ts'
import { apiError } from '../../errors.ts'
import { findOwnEndpoint } from '../endpoints/findOwnEndpoint.ts'
import type { ChangeWebhookInput } from './changeWebhook.ts'
import { type DeliveryView, toDeliveryView } from './deliveryView.ts'
import { isActiveWebhook, type WebhookDeps } from './webhookDeps.ts'

export type RedeliverInput = ChangeWebhookInput & { deliveryId: string }

/**
 * Queues an event of a settled delivery again: the same id and bytes as a new delivery with all its attempts.
 *
 * @throws ApiError NOT_FOUND, FORBIDDEN, INVALID_STATE for a delivery that is still pending, or if there is no webhook, it
 * is disabled, or the endpoint is archived.
 */
export async function redeliver(deps: WebhookDeps, input: RedeliverInput): Promise<DeliveryView> {
  const { endpoints, webhooks, deliveries } = deps.stores
  const { now } = input
  const endpoint = await findOwnEndpoint(endpoints, { ...input, toWrite: true })
  const id = generateUuidV7(now, deps.settings.randomBytes(10))
  const writer = { principal: input.principal, ownerId: endpoint.ownerId }
  const queued = await deps.writeAs(writer, [`endpoint ${endpoint.id}`], async (trx) => {
    const earlier = await deliveries.byId(endpoint.id, input.deliveryId, trx)
    if (earlier === null) throw apiError('NOT_FOUND')
    const webhook = await webhooks.ofEndpoint(endpoint.id, trx)
    if (earlier.status === 'pending' || !isActiveWebhook(webhook)) throw apiError('INVALID_STATE')
    const { eventId, eventType, payload } = earlier
    const again = {
      ...{ id, endpointId: endpoint.id, eventId, eventType, payload, seq: null },
      redeliveryOf: earlier.id,
      host: new URL(webhook.url).host,
      createdAt: now,
    }
    await deliveries.add(trx, [again])
    const added = await deliveries.byId(endpoint.id, id, trx)
    if (added === null) throw apiError('NOT_FOUND')
    return toDeliveryView(added)
  })
  deps.onQueued()
  return queued
}
