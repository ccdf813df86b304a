import { generateWebhookSecret } from '@svc/core/ids/secrets.ts'
import type { SecretBox } from '../../external/secretBox.ts'

/**
 * Draws an endpoint's webhook secret: the text to be shown once, and what is stored of it.
 *
 * @param endpointId Internal id; the sealed secret opens for no other endpoint.
 * Source: api.md "Identifiers".
 */
export function createWebhookSecret(
  secrets: SecretBox,
  endpointId: string,
  randomBytes: (length: number) => Uint8Array,
): { secret: string; stored: { webhookSecret: string; webhookSecretLastFour: string } } {
  const secret = generateWebhookSecret(randomBytes(32))
  return {
    secret,
    stored: {
      webhookSecret: secrets.seal(secret, `endpoint-webhook:${endpointId}`),
      webhookSecretLastFour: secret.slice(-4),
    },
  }
}
