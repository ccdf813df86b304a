import { toIsoTime } from '@svc/core/time/toIsoTime.ts'
import type { Webhook } from '../../store/endpoints/webhookStore.ts'

/** A webhook as the endpoint's owner sees it. */
export type WebhookView = ReturnType<typeof toWebhookView>

/** Shows an endpoint's webhook to its owner, with the last four characters of the secret. */
export function toWebhookView(webhook: Webhook, now: number) {
  const { url, secret, secretLastFour, disabledAt, previousSecretUntil } = webhook
  const overlaps = previousSecretUntil !== null && previousSecretUntil > now
  return {
    url,
    status: statusOf(webhook),
    disabledAt: toIsoTime(disabledAt),
    secret: secret === null ? null : `whsec_****${secretLastFour}`,
    /** Until when the previous secret also signs. */
    previousSecretUntil: overlaps ? toIsoTime(previousSecretUntil) : null,
  }
}

/** Nothing is sent to an archived endpoint, whatever its webhook is. */
function statusOf({ url, disabledAt, endpointStatus }: Webhook): 'none' | 'active' | 'disabled' | 'archived' {
  if (url === null) return 'none'
  if (endpointStatus === 'archived') return 'archived'
  return disabledAt === null ? 'active' : 'disabled'
}
