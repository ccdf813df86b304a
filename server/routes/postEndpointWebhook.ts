import { z } from 'zod'
import { parseInput } from '../middleware/parseInput.ts'
import type { Operation } from './operation.ts'
import { webhookSchemas } from './webhookSchemas.ts'

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
