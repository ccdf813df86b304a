import { z } from 'zod'
import { parseInput } from '../../middleware/parseInput.ts'
import { removeWebhook, setWebhook } from '../../services/webhooks/changeWebhook.ts'
import { listDeliveries, readWebhook } from '../../services/webhooks/readWebhook.ts'
import { redeliver } from '../../services/webhooks/redeliver.ts'
import { rotateWebhookSecret } from '../../services/webhooks/rotateWebhookSecret.ts'
import { testWebhook } from '../../services/webhooks/testWebhook.ts'
import type { WebhookDeps } from '../../services/webhooks/webhookDeps.ts'
import { PAGE_QUERY, pageAnswer, readPage, writePage } from '../border/pagination.ts'
import { operation } from '../operation.ts'

/** What several operations of webhooks answer. Source: api.md "Endpoints", "Webhook signature". */
const webhookSchemas = {
  webhook: z.object({
    url: z.string().nullable(),
    status: z.enum(['none', 'active', 'disabled', 'archived']),
    disabledAt: z.string().nullable(),
    secret: z.string().nullable(),
    previousSecretUntil: z.string().nullable(),
  }),
  delivery: z.object({
    id: z.string(),
    eventId: z.string(),
    eventType: z.string(),
    redeliveryOf: z.string().nullable(),
    status: z.enum(['pending', 'delivered', 'failed', 'cancelled']),
    attempts: z.number(),
    nextAttemptAt: z.string().nullable(),
    lastAttemptAt: z.string().nullable(),
    lastDurationMs: z.number().nullable(),
    lastStatus: z.number().nullable(),
    lastError: z
      .enum(['address_refused', 'timed_out', 'connection_failed', 'redirected', 'gone', 'unexpected_status'])
      .nullable(),
    createdAt: z.string(),
    settledAt: z.string().nullable(),
  }),
} as const

/** Source: api.md "Endpoints" (`…/webhook`). */
export const getEndpointWebhook = operation({
  summary: 'Shows the webhook of an own endpoint.',
  answer: z.object({ success: z.literal(true), webhook: webhookSchemas.webhook }),
  errors: ['NOT_FOUND'],
  handle: (parts: { webhooks: Parameters<typeof readWebhook>[0] }) => async (call) => {
    const { principal, params, now } = call
    const webhook = await readWebhook(parts.webhooks, { id: params.id ?? '', principal, now })
    return { body: { success: true, webhook } }
  },
})

const body = z.object({ url: z.url({ protocol: /^https?$/ }).max(2048) })

/** Source: api.md "Endpoints" (`…/webhook`). */
export const postEndpointWebhook = operation({
  summary: 'Has the events of an endpoint sent to an address, from now on.',
  body,
  answer: z.object({ success: z.literal(true), webhook: webhookSchemas.webhook }),
  errors: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  handle: (parts: { webhooks: WebhookDeps }) => async (call) => {
    const { principal, params, now } = call
    const { url } = parseInput(body, call.body)
    const webhook = await setWebhook(parts.webhooks, { id: params.id ?? '', principal, url, now })
    return { body: { success: true, webhook } }
  },
})

/** Source: api.md "Endpoints" (`…/webhook`). */
export const deleteEndpointWebhook = operation({
  summary: 'Ends the webhook of an endpoint, and with it what still waited to be sent.',
  answer: z.object({ success: z.literal(true), webhook: webhookSchemas.webhook }),
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  handle: (parts: { webhooks: WebhookDeps }) => async (call) => {
    const { principal, params, now } = call
    const webhook = await removeWebhook(parts.webhooks, { id: params.id ?? '', principal, now })
    return { body: { success: true, webhook } }
  },
})

/** Source: api.md "Endpoints" (`…/rotate-secret`). */
export const postEndpointRotateSecret = operation({
  summary: 'Answers a new webhook secret once; for 24 hours the one before signs too.',
  answer: z.object({
    success: z.literal(true),
    webhookSecret: z.string(),
    previousSecretUntil: z.string(),
  }),
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

/** Source: api.md "Endpoints" (`…/test-webhook`). */
export const postEndpointTestWebhook = operation({
  summary: 'Sends a test event to the webhook of an endpoint now and answers how it was taken.',
  answer: z.object({ success: z.literal(true), delivered: z.boolean(), delivery: webhookSchemas.delivery }),
  errors: ['FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  repeatable: true,
  handle: (parts: { webhooks: WebhookDeps }) => async (call) => {
    const { principal, params, now } = call
    const delivery = await call.once(() =>
      testWebhook(parts.webhooks, { id: params.id ?? '', principal, now }),
    )
    return { body: { success: true, delivered: delivery.status === 'delivered', delivery } }
  },
})

/** The log of deliveries. Source: api.md "Endpoints", "Webhook signature". */
export const getEndpointWebhookDeliveries = operation({
  summary: 'Lists what was sent to the webhook of an own endpoint, newest first.',
  query: PAGE_QUERY,
  answer: pageAnswer(webhookSchemas.delivery),
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
  handle: (parts: { webhooks: Parameters<typeof listDeliveries>[0] }) => async (call) => {
    const page = readPage(call.query)
    const { principal, params } = call
    return { body: writePage(await listDeliveries(parts.webhooks, { id: params.id ?? '', principal, page })) }
  },
})

/** Source: api.md "Webhook signature" (Delivery). */
export const postEndpointWebhookRedeliver = operation({
  summary: 'Sends an event once more that is no longer on its way: the same id, the same bytes.',
  status: 201,
  answer: z.object({ success: z.literal(true), delivery: webhookSchemas.delivery }),
  errors: ['FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  repeatable: true,
  handle: (parts: { webhooks: WebhookDeps }) => async (call) => {
    const { principal, params, now } = call
    const { id = '', deliveryId = '' } = params
    const delivery = await call.once(() => redeliver(parts.webhooks, { id, deliveryId, principal, now }))
    return { status: 201, body: { success: true, delivery } }
  },
})
