import type { Webhook } from '../../store/endpoints/webhookStore.ts'

/** A webhook that events are sent to. */
export type ActiveWebhook = Webhook & { url: string; secret: string }

/** Whether anything is sent to a webhook: there is one, it is not disabled, and its endpoint not archived. */
export function isActiveWebhook(webhook: Webhook | null): webhook is ActiveWebhook {
  if (webhook === null) return false
  const { url, secret, disabledAt, endpointStatus } = webhook
  return url !== null && secret !== null && disabledAt === null && endpointStatus !== 'archived'
}
