import type { SecretBox } from '../../external/secretBox.ts'
import type { SendWebhook } from '../../external/sendWebhook.ts'
import type { AlertStore } from '../../store/approvals/alertStore.ts'
import type { AuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { EndpointStore } from '../../store/endpoints/endpointStore.ts'
import type { WebhookDeliveryStore } from '../../store/endpoints/webhookDeliveryStore.ts'
import type { Webhook, WebhookStore } from '../../store/endpoints/webhookStore.ts'
import type { RegistrySettings } from '../registrySettings.ts'
import type { createSharedTransaction } from './createSharedTransaction.ts'

/** What the use cases of webhooks are made of. */
export type WebhookDeps = {
  db: Pick<Db, 'transaction'>
  /** Runs a write with others of its kind in one transaction. */
  together: ReturnType<typeof createSharedTransaction>
  stores: {
    endpoints: EndpointStore
    webhooks: WebhookStore
    deliveries: WebhookDeliveryStore
    records: AuditRecordStore
    alerts: Pick<AlertStore, 'raise'>
  }
  secrets: SecretBox
  send: SendWebhook
  /** There is something to be sent. */
  onQueued(): void
  settings: Pick<RegistrySettings, 'allowPrivateNetwork' | 'randomBytes' | 'clock'>
}

/** How long an attempt is its process's own: longer than a receiver may take, so that it runs out only when one died. */
export const CLAIM_MS = 30_000

/** Type of the event that an owner has sent to see whether a webhook works; it is tried once. */
export const TEST_EVENT = 'webhook.test'

/** A webhook that events are sent to. */
export type ActiveWebhook = Webhook & { url: string; secret: string }

/** Whether anything is sent to a webhook: there is one, it is not disabled, and its endpoint not archived. */
export function isActiveWebhook(webhook: Webhook | null): webhook is ActiveWebhook {
  if (webhook === null) return false
  const { url, secret, disabledAt, endpointStatus } = webhook
  return url !== null && secret !== null && disabledAt === null && endpointStatus !== 'archived'
}
