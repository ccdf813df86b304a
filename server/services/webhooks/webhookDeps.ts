import type { SecretBox } from '../../external/keys/secretBox.ts'
import type { SendWebhook } from '../../external/outbound/sendWebhook.ts'
import type { AlertStore } from '../../store/approvals/alertStore.ts'
import type { AuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { EndpointStore } from '../../store/endpoints/endpointStore.ts'
import type { WebhookDeliveryStore } from '../../store/endpoints/webhookDeliveryStore.ts'
import type { Webhook, WebhookStore } from '../../store/endpoints/webhookStore.ts'
import type { InterventionStore } from '../../store/operator/interventionStore.ts'
import type { WriteAs } from '../accounts/writeAs.ts'
import type { RegistrySettings } from '../registrySettings.ts'
import type { createSharedTransaction } from './createSharedTransaction.ts'

/** The dependencies of the webhook use cases. */
export type WebhookDeps = {
  db: Pick<Db, 'transaction'>
  /** Runs a write together with others in one transaction. */
  inSharedTransaction: ReturnType<typeof createSharedTransaction>
  stores: {
    endpoints: EndpointStore
    webhooks: WebhookStore
    deliveries: WebhookDeliveryStore
    records: AuditRecordStore
    alerts: Pick<AlertStore, 'raise'>
    interventions: Pick<InterventionStore, 'find'>
  }
  writeAs: WriteAs
  secrets: SecretBox
  send: SendWebhook
  /** Called when there is something to send. */
  onQueued(): void
  settings: Pick<RegistrySettings, 'allowPrivateNetwork' | 'randomBytes' | 'clock'>
}

/**
 * How long a process owns an attempt: longer than a receiver may take, so that a claim expires only if the process died.
 */
export const CLAIM_MS = 30_000

/** Type of the event that an owner sends to test a webhook; it is attempted once. */
export const TEST_EVENT = 'webhook.test'

/** A webhook to which events are sent. */
export type ActiveWebhook = Webhook & { url: string; secret: string }

/** Whether events are sent to a webhook: it exists, is not disabled, and its endpoint is not archived. */
export function isActiveWebhook(webhook: Webhook | null): webhook is ActiveWebhook {
  if (webhook === null) return false
  const { url, secret, disabledAt, endpointStatus } = webhook
  return url !== null && secret !== null && disabledAt === null && endpointStatus !== 'archived'
}
