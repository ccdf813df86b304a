import type { ChangeWebhookInput, SetWebhookInput } from './changeWebhook.ts'
import type { DeliveryView } from './deliveryView.ts'
import type { ListDeliveriesInput } from './readWebhook.ts'
import type { RedeliverInput } from './redeliver.ts'
import type { RotatedSecret } from './rotateWebhookSecret.ts'
import type { WebhookView } from './webhookView.ts'

/** The use cases of webhooks, with their dependencies bound. */
export type WebhookServices = {
  read(input: ChangeWebhookInput): Promise<WebhookView>
  set(input: SetWebhookInput): Promise<WebhookView>
  remove(input: ChangeWebhookInput): Promise<WebhookView>
  rotateSecret(input: ChangeWebhookInput): Promise<RotatedSecret>
  test(input: ChangeWebhookInput): Promise<DeliveryView>
  deliveries(input: ListDeliveriesInput): Promise<{ items: DeliveryView[]; nextBefore: number | null }>
  redeliver(input: RedeliverInput): Promise<DeliveryView>
}
