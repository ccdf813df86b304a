export { signWebhook } from './webhooks/signWebhook.ts'
export {
  verifyWebhook,
  type WebhookFault,
  type WebhookHeaders,
  type WebhookToVerify,
  type WebhookVerdict,
} from './webhooks/verifyWebhook.ts'
