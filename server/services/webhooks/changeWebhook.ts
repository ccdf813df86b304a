import { apiError, validationError } from '../../errors.ts'
import type { EndpointRow } from '../../store/endpoints/endpointStore.ts'
import type { Webhook } from '../../store/endpoints/webhookStore.ts'
import { buildEndpointRecord } from '../endpoints/buildEndpointRecord.ts'
import { findOwnEndpoint } from '../endpoints/findOwnEndpoint.ts'
import { findPublicHostFault } from '../findPublicHostFault.ts'
import type { Principal } from '../principal.ts'
import { type Expectation, requireExpected } from '../requireExpected.ts'
import type { WebhookDeps } from './webhookDeps.ts'
import { toWebhookView, type WebhookView } from './webhookView.ts'

export type ChangeWebhookInput = { id: string; principal: Principal; now: number }

export type RemoveWebhookInput = ChangeWebhookInput & { isExpected: Expectation }

export type SetWebhookInput = RemoveWebhookInput & { url: string }

/**
 * Sets the URL to which an endpoint's events are sent from now on, and re-enables a disabled webhook.
 *
 * Pending deliveries to an earlier URL go to the new one.
 *
 * @throws ApiError NOT_FOUND, FORBIDDEN, VALIDATION_ERROR, PRECONDITION_FAILED, INVALID_STATE for an endpoint that is
 * unclaimed or archived.
 */
export async function setWebhook(deps: WebhookDeps, input: SetWebhookInput): Promise<WebhookView> {
  const { webhooks, deliveries } = deps.stores
  const { url, now } = input
  const endpoint = await findOwnEndpoint(deps.stores.endpoints, { ...input, toWrite: true })
  const writer = { principal: input.principal, ownerId: endpoint.ownerId }
  const fault = findUrlFault(url, deps.settings.allowPrivateNetwork)
  if (fault !== null) throw validationError([{ pointer: '/url', code: 'invalid_url', message: fault }])
  const changed = await deps.writeAs(writer, [`endpoint ${endpoint.id}`], async (trx) => {
    const before = await webhooks.ofEndpoint(endpoint.id, trx)
    if (before === null || before.secret === null || before.endpointStatus === 'archived') {
      throw apiError('INVALID_STATE')
    }
    requireExpected(input.isExpected, 'webhook', before)
    await webhooks.set(trx, endpoint.id, url)
    await deliveries.moveHost(trx, endpoint.id, new URL(url).host)
    await deps.stores.records.append(trx, recordOf(deps, 'endpoint.webhook_set', { endpoint, url, now }))
    return { ...before, url, disabledAt: null }
  })
  return toWebhookView(changed, now)
}

/**
 * Removes an endpoint's webhook and cancels its pending deliveries; the secret stays.
 *
 * @throws ApiError NOT_FOUND, also without a webhook; FORBIDDEN, PRECONDITION_FAILED.
 */
export async function removeWebhook(deps: WebhookDeps, input: RemoveWebhookInput): Promise<WebhookView> {
  const { webhooks, deliveries } = deps.stores
  const { now } = input
  const endpoint = await findOwnEndpoint(deps.stores.endpoints, { ...input, toWrite: true })
  const writer = { principal: input.principal, ownerId: endpoint.ownerId }
  const changed = await deps.writeAs(writer, [`endpoint ${endpoint.id}`], async (trx): Promise<Webhook> => {
    const before = await webhooks.ofEndpoint(endpoint.id, trx)
    if (before === null) throw apiError('NOT_FOUND')
    requireExpected(input.isExpected, 'webhook', before)
    const { url } = before
    if (url === null) throw apiError('NOT_FOUND')
    await webhooks.remove(trx, endpoint.id)
    await deliveries.cancelPending(trx, endpoint.id, now)
    await deps.stores.records.append(trx, recordOf(deps, 'endpoint.webhook_removed', { endpoint, url, now }))
    return { ...before, url: null, disabledAt: null }
  })
  return toWebhookView(changed, now)
}

function findUrlFault(url: string, allowPrivateNetwork: boolean): string | null {
  const fault = findPublicHostFault(url, allowPrivateNetwork)
  if (fault !== null) return fault
  const { protocol, hash } = new URL(url)
  if (hash !== '') return 'expected an address without a fragment'
  if (protocol !== 'https:' && !allowPrivateNetwork) return 'expected an https URL'
  return null
}

function recordOf(
  { settings }: WebhookDeps,
  eventType: 'endpoint.webhook_set' | 'endpoint.webhook_removed',
  { endpoint, url, now }: { endpoint: EndpointRow; url: string; now: number },
) {
  return buildEndpointRecord(
    eventType,
    endpoint,
    { webhookUrl: url },
    { now, randomBytes: settings.randomBytes },
  )
}
