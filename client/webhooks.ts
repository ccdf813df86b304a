export { signWebhook } from './webhooks/signWebhook.ts'
export { verifyWebhook, type WebhookVerdict } from './webhooks/verifyWebhook.ts'
