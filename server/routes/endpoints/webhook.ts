import { z } from 'zod'
import { parseInput } from '../../middleware/parseInput.ts'
import { PAGE_QUERY, pageAnswer, readPage, writePage } from '../border/pagination.ts'
import type { Operation } from '../operation.ts'

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
export const getEndpointWebhook: Operation = {
  summary: 'Shows the webhook of an own endpoint.',
  answer: z.object({ success: z.literal(true), webhook: webhookSchemas.webhook }),
  errors: ['NOT_FOUND'],
  handle: (services) => async (call) => {
    const { principal, params, now } = call
    const webhook = await services.webhooks.read({ id: params.id ?? '', principal, now })
    return { body: { success: true, webhook } }
  },
}

const body = z.object({ url: z.url({ protocol: /^https?$/ }).max(2048) })

/** Source: api.md "Endpoints" (`…/webhook`). */
export const postEndpointWebhook: Operation = {
  summary: 'Has the events of an endpoint sent to an address, from now on.',
  body,
  answer: z.object({ success: z.literal(true), webhook: webhookSchemas.webhook }),
  errors: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  handle: (services) => async (call) => {
    const { principal, params, now } = call
    const { url } = parseInput(body, call.body)
    const webhook = await services.webhooks.set({ id: params.id ?? '', principal, url, now })
    return { body: { success: true, webhook } }
  },
}

/** Source: api.md "Endpoints" (`…/webhook`). */
export const deleteEndpointWebhook: Operation = {
  summary: 'Ends the webhook of an endpoint, and with it what still waited to be sent.',
  answer: z.object({ success: z.literal(true), webhook: webhookSchemas.webhook }),
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  handle: (services) => async (call) => {
    const { principal, params, now } = call
    const webhook = await services.webhooks.remove({ id: params.id ?? '', principal, now })
    return { body: { success: true, webhook } }
  },
}

/** Source: api.md "Endpoints" (`…/rotate-secret`). */
export const postEndpointRotateSecret: Operation = {
  summary: 'Answers a new webhook secret once; for 24 hours the one before signs too.',
  answer: z.object({
    success: z.literal(true),
    webhookSecret: z.string(),
    previousSecretUntil: z.string(),
  }),
  errors: ['FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  repeatable: true,
  handle: (services) => async (call) => {
    const { principal, params, now } = call
    const rotated = await services.webhooks.rotateSecret({ id: params.id ?? '', principal, now })
    return { body: { success: true, ...rotated } }
  },
}

/** Source: api.md "Endpoints" (`…/test-webhook`). */
export const postEndpointTestWebhook: Operation = {
  summary: 'Sends a test event to the webhook of an endpoint now and answers how it was taken.',
  answer: z.object({ success: z.literal(true), delivered: z.boolean(), delivery: webhookSchemas.delivery }),
  errors: ['FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  repeatable: true,
  handle: (services) => async (call) => {
    const { principal, params, now } = call
    const delivery = await services.webhooks.test({ id: params.id ?? '', principal, now })
    return { body: { success: true, delivered: delivery.status === 'delivered', delivery } }
  },
}

/** The log of deliveries. Source: api.md "Endpoints", "Webhook signature". */
export const getEndpointWebhookDeliveries: Operation = {
  summary: 'Lists what was sent to the webhook of an own endpoint, newest first.',
  query: PAGE_QUERY,
  answer: pageAnswer(webhookSchemas.delivery),
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
  handle: (services) => async (call) => {
    const page = readPage(call.query)
    const { principal, params } = call
    return { body: writePage(await services.webhooks.deliveries({ id: params.id ?? '', principal, page })) }
  },
}

/** Source: api.md "Webhook signature" (Delivery). */
export const postEndpointWebhookRedeliver: Operation = {
  summary: 'Sends an event once more that is no longer on its way: the same id, the same bytes.',
  status: 201,
  answer: z.object({ success: z.literal(true), delivery: webhookSchemas.delivery }),
  errors: ['FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  repeatable: true,
  handle: (services) => async (call) => {
    const { principal, params, now } = call
    const { id = '', deliveryId = '' } = params
    const delivery = await services.webhooks.redeliver({ id, deliveryId, principal, now })
    return { status: 201, body: { success: true, delivery } }
  },
}
