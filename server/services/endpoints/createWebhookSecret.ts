import { generateWebhookSecret } from '@svc/core/ids/secrets.ts'
import type { SecretBox } from '../../external/keys/secretBox.ts'
import { sealContexts } from '../secrets/sealedValues.ts'

/**
 * Creates an endpoint's webhook secret: the text to show once, and the form to store.
 *
 * @param endpointId Internal id, to which the sealed secret is bound.
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
      webhookSecret: secrets.seal(secret, sealContexts.webhookSecret(endpointId)),
      webhookSecretLastFour: secret.slice(-4),
    },
  }
}
