export { signWebhook } from './signWebhook.ts'
export { verifyWebhook, type WebhookVerdict } from './verifyWebhook.ts'
