import { decodeHex } from '@svc/core/bytes.ts'
import { concatBytes } from '@svc/core/concatBytes.ts'
import { bytesOf } from '../http/bytes.ts'
import { readSignedWebhook } from './readSignedWebhook.ts'
import type { WebhookToVerify, WebhookVerdict } from './webhook.ts'

/**
 * Checks whether a webhook was signed with the endpoint's secret, and recently, with Web Crypto instead of `node:crypto`,
 * for edge runtimes. The verdicts are those of `verifyWebhook` in `@svc/client/webhooks`. Never rejects.
 *
 * Source: Spec: Authentication 11; docs/webhooks.md.
 */
export async function verifyWebhookAsync(webhook: WebhookToVerify): Promise<WebhookVerdict> {
  const read = readSignedWebhook(webhook)
  if (!read.ok) return read
  const { secrets, body, timestamp, signatures, verdictOf } = read.signed
  const signedBytes = concatBytes([bytesOf(`${timestamp}.`), bytesOf(body)])
  for (const secret of secrets) {
    const key = await importKey(secret)
    for (const signature of signatures) {
      // Compares in constant time.
      if (await crypto.subtle.verify('HMAC', key, decodeHex(`0x${signature}`), signedBytes))
        return verdictOf(true)
    }
  }
  return verdictOf(false)
}

function importKey(secret: string): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', bytesOf(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}
