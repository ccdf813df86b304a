import { generateUuidV7 } from '@svc/core/ids/uuids.ts'
import { apiError } from '../../errors.ts'
import type { EndpointRow } from '../../store/endpoints/endpointStore.ts'
import type { CurrentWriter } from '../accounts/requireCurrentWriter.ts'
import { findOwnEndpoint } from '../endpoints/findOwnEndpoint.ts'
import type { WaitForHost } from '../waitForHost.ts'
import { attemptDelivery } from './attemptDelivery.ts'
import { buildWebhookPayload } from './buildWebhookPayload.ts'
import type { ChangeWebhookInput } from './changeWebhook.ts'
import { type DeliveryView, toDeliveryView } from './deliveryView.ts'
import { type ActiveWebhook, CLAIM_MS, isActiveWebhook, TEST_EVENT, type WebhookDeps } from './webhookDeps.ts'

export type TestWebhookInput = ChangeWebhookInput & { waitForHost: WaitForHost }

/**
 * Sends a test event to an endpoint's webhook once, immediately, and returns the result.
 *
 * @throws ApiError NOT_FOUND, FORBIDDEN, INVALID_STATE without an active webhook, or if the endpoint is archived; as
 * `WaitForHost`.
 */
export async function testWebhook(deps: WebhookDeps, input: TestWebhookInput): Promise<DeliveryView> {
  const { endpoints, webhooks } = deps.stores
  const endpoint = await findOwnEndpoint(endpoints, { ...input, toWrite: true })
  const webhook = await webhooks.ofEndpoint(endpoint.id)
  if (!isActiveWebhook(webhook)) throw apiError('INVALID_STATE')
  const writer = { principal: input.principal, ownerId: endpoint.ownerId }
  return input.waitForHost(() => sendTestEvent(deps, { writer, endpoint, webhook, now: input.now }))
}

type TestEvent = { writer: CurrentWriter; endpoint: EndpointRow; webhook: ActiveWebhook; now: number }

async function sendTestEvent(
  deps: WebhookDeps,
  { writer, endpoint, webhook: { url }, now }: TestEvent,
): Promise<DeliveryView> {
  const { deliveries } = deps.stores
  const { randomBytes } = deps.settings
  const id = generateUuidV7(now, randomBytes(10))
  const eventId = generateUuidV7(now, randomBytes(10))
  const data = { endpointId: endpoint.svceId ?? endpoint.id, endpointName: endpoint.name }
  const created = {
    ...{ id, eventId, endpointId: endpoint.id, eventType: TEST_EVENT, redeliveryOf: null, seq: null },
    payload: buildWebhookPayload({ id: eventId, type: TEST_EVENT, occurredAt: now, data }),
    host: new URL(url).host,
    createdAt: now,
  }
  // What it returns answers a retry with the same Idempotency-Key if the process dies before the receiver has answered.
  await deps.writeAs(writer, [`endpoint ${endpoint.id}`], async (trx) => {
    await deliveries.add(trx, [created], now + CLAIM_MS)
    const added = await deliveries.byId(endpoint.id, id, trx)
    return added && toDeliveryView(added)
  })
  const claimed = await deliveries.byId(endpoint.id, id)
  if (claimed !== null) await attemptDelivery(deps, claimed, new AbortController().signal)
  const tried = await deliveries.byId(endpoint.id, id)
  if (tried === null) throw apiError('NOT_FOUND')
  return toDeliveryView(tried)
}
