import { z } from 'zod'

/** What several operations of webhooks answer. Source: api.md "Endpoints", "Webhook signature". */
export const webhookSchemas = {
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
