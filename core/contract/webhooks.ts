import { z } from 'zod'
import { pageAnswer, success } from './envelope.ts'

/** Schemas that the webhook operations share. Source: docs/webhooks.md. */
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

/** The webhook of an endpoint. */
export type Webhook = z.output<typeof webhookSchemas.webhook>

/** A delivery to a webhook. */
export type WebhookDelivery = z.output<typeof webhookSchemas.delivery>

export const postEndpointWebhookBody = z.object({ url: z.url({ protocol: /^https?$/ }).max(2048) })

/** Request and response schemas of the operations, by method and path. */
export const webhookOperations = {
  'GET /api/endpoints/:id/webhook': { answer: success({ webhook: webhookSchemas.webhook }) },
  'POST /api/endpoints/:id/webhook': {
    body: postEndpointWebhookBody,
    answer: success({ webhook: webhookSchemas.webhook }),
  },
  'DELETE /api/endpoints/:id/webhook': { answer: success({ webhook: webhookSchemas.webhook }) },
  'POST /api/endpoints/:id/rotate-secret': {
    answer: success({
      webhookSecret: z.string(),
      previousSecretUntil: z.string(),
    }),
  },
  'POST /api/endpoints/:id/test-webhook': {
    answer: success({ delivered: z.boolean(), delivery: webhookSchemas.delivery }),
  },
  'GET /api/endpoints/:id/webhook/deliveries': { answer: pageAnswer(webhookSchemas.delivery) },
  'POST /api/endpoints/:id/webhook/deliveries/:deliveryId/redeliver': {
    answer: success({ delivery: webhookSchemas.delivery }),
  },
} as const
