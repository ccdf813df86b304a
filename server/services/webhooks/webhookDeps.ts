import type { SecretBox } from '../../external/secretBox.ts'
import type { SendWebhook } from '../../external/sendWebhook.ts'
import type { AlertStore } from '../../store/approvals/alertStore.ts'
import type { AuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { EndpointStore } from '../../store/endpoints/endpointStore.ts'
import type { WebhookDeliveryStore } from '../../store/endpoints/webhookDeliveryStore.ts'
import type { WebhookStore } from '../../store/endpoints/webhookStore.ts'
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
