import { postEndpointWebhookBody, webhookOperations } from '@svc/core/contract/webhooks.ts'
import { parseInput } from '../../middleware/parseInput.ts'
import { tagSettings } from '../../services/tagSettings.ts'
import { removeWebhook, setWebhook } from '../../services/webhooks/changeWebhook.ts'
import { listDeliveries, readWebhook } from '../../services/webhooks/readWebhook.ts'
import { redeliver } from '../../services/webhooks/redeliver.ts'
import { rotateWebhookSecret } from '../../services/webhooks/rotateWebhookSecret.ts'
import { testWebhook } from '../../services/webhooks/testWebhook.ts'
import type { WebhookDeps } from '../../services/webhooks/webhookDeps.ts'
import type { WebhookView } from '../../services/webhooks/webhookView.ts'
import { PAGE_QUERY, readPage, writePage } from '../border/pagination.ts'
import { readIfMatch } from '../border/readIfMatch.ts'
import { operation } from '../operation.ts'

export const getEndpointWebhook = operation({
  summary: 'Returns the webhook of one of the caller’s endpoints.',
  answer: webhookOperations['GET /api/endpoints/:id/webhook'].answer,
  isTagged: true,
  errors: ['NOT_FOUND'],
  handle: (parts: { webhooks: Parameters<typeof readWebhook>[0] }) => async (call) => {
    const { principal, params, now } = call
    return answerWith(await readWebhook(parts.webhooks, { id: params.id ?? '', principal, now }))
  },
})

export const postEndpointWebhook = operation({
  summary: 'Sets the URL to which the events of an endpoint are delivered from now on.',
  body: webhookOperations['POST /api/endpoints/:id/webhook'].body,
  answer: webhookOperations['POST /api/endpoints/:id/webhook'].answer,
  isTagged: true,
  errors: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  handle: (parts: { webhooks: WebhookDeps }) => async (call) => {
    const { principal, params, now } = call
    const { url } = parseInput(postEndpointWebhookBody, call.body)
    const input = { id: params.id ?? '', principal, isExpected: readIfMatch(call), now }
    return answerWith(await setWebhook(parts.webhooks, { ...input, url }))
  },
})

export const deleteEndpointWebhook = operation({
  summary: 'Removes the webhook of an endpoint and cancels its pending deliveries.',
  answer: webhookOperations['DELETE /api/endpoints/:id/webhook'].answer,
  isTagged: true,
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  handle: (parts: { webhooks: WebhookDeps }) => async (call) => {
    const { principal, params, now } = call
    const input = { id: params.id ?? '', principal, isExpected: readIfMatch(call), now }
    return answerWith(await removeWebhook(parts.webhooks, input))
  },
})

function answerWith(webhook: WebhookView) {
  return { headers: { ETag: tagSettings('webhook', webhook) }, body: { success: true as const, webhook } }
}

export const postEndpointRotateSecret = operation({
  summary:
    'Returns a new webhook secret, which is not shown again; for 24 hours, deliveries are also signed with the old one.',
  answer: webhookOperations['POST /api/endpoints/:id/rotate-secret'].answer,
  errors: ['FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  repeatable: true,
  handle: (parts: { webhooks: WebhookDeps }) => async (call) => {
    const { principal, params, now } = call
    const rotated = await call.once(() =>
      rotateWebhookSecret(parts.webhooks, { id: params.id ?? '', principal, now }),
    )
    return { body: { success: true, ...rotated } }
  },
})

export const postEndpointTestWebhook = operation({
  summary: 'Sends a test event to the webhook of an endpoint and returns the outcome.',
  answer: webhookOperations['POST /api/endpoints/:id/test-webhook'].answer,
  errors: ['FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  repeatable: true,
  waitsForHost: 'check',
  handle: (parts: { webhooks: WebhookDeps }) => async (call) => {
    const { principal, params, now, waitForHost } = call
    const delivery = await call.once(() =>
      testWebhook(parts.webhooks, { id: params.id ?? '', principal, now, waitForHost }),
    )
    return { body: { success: true, delivered: delivery.status === 'delivered', delivery } }
  },
})

/** The log of deliveries. Source: docs/webhooks.md. */
export const getEndpointWebhookDeliveries = operation({
  summary: 'Lists the deliveries to the webhook of one of the caller’s endpoints, newest first.',
  query: PAGE_QUERY,
  answer: webhookOperations['GET /api/endpoints/:id/webhook/deliveries'].answer,
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
  handle: (parts: { webhooks: Parameters<typeof listDeliveries>[0] }) => async (call) => {
    const page = readPage(call.query)
    const { principal, params } = call
    return { body: writePage(await listDeliveries(parts.webhooks, { id: params.id ?? '', principal, page })) }
  },
})

/** Source: docs/webhooks.md. */
export const postEndpointWebhookRedeliver = operation({
  summary: 'Delivers an event again whose delivery has ended, with the same id and the same bytes.',
  status: 201,
  answer: webhookOperations['POST /api/endpoints/:id/webhook/deliveries/:deliveryId/redeliver'].answer,
  errors: ['FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  repeatable: true,
  handle: (parts: { webhooks: WebhookDeps }) => async (call) => {
    const { principal, params, now } = call
    const { id = '', deliveryId = '' } = params
    const delivery = await call.once(() => redeliver(parts.webhooks, { id, deliveryId, principal, now }))
    return { status: 201, body: { success: true, delivery } }
  },
})
