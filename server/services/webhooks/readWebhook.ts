import { apiError } from '../../errors.ts'
import { findOwnEndpoint } from '../endpoints/findOwnEndpoint.ts'
import type { Principal } from '../principal.ts'
import type { ChangeWebhookInput } from './changeWebhook.ts'
import { type DeliveryView, toDeliveryView } from './deliveryView.ts'
import type { WebhookDeps } from './webhookDeps.ts'
import { toWebhookView, type WebhookView } from './webhookView.ts'

export type ListDeliveriesInput = {
  id: string
  principal: Principal
  page: { limit: number; before: number | null }
}

/** Returns the webhook of one of the caller's endpoints, even if none is set. @throws ApiError NOT_FOUND. */
export async function readWebhook(
  deps: Pick<WebhookDeps, 'stores'>,
  input: ChangeWebhookInput,
): Promise<WebhookView> {
  const endpoint = await findOwnEndpoint(deps.stores.endpoints, input)
  const webhook = await deps.stores.webhooks.ofEndpoint(endpoint.id)
  if (webhook === null) throw apiError('NOT_FOUND')
  return toWebhookView(webhook, input.now)
}

/** Lists the deliveries to the webhook of one of the caller's endpoints, newest first. @throws ApiError NOT_FOUND. */
export async function listDeliveries(
  deps: Pick<WebhookDeps, 'stores'>,
  { id, principal, page }: ListDeliveriesInput,
): Promise<{ items: DeliveryView[]; nextBefore: number | null }> {
  const endpoint = await findOwnEndpoint(deps.stores.endpoints, { id, principal })
  const { items, nextBefore } = await deps.stores.deliveries.list(endpoint.id, page)
  return { items: items.map(toDeliveryView), nextBefore }
}
