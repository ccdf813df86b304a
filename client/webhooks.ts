export { signWebhook } from './webhooks/signWebhook.ts'
export { verifyWebhook } from './webhooks/verifyWebhook.ts'
export type { WebhookFault, WebhookHeaders, WebhookToVerify, WebhookVerdict } from './webhooks/webhook.ts'
