import type { SecretBox } from '../../external/keys/secretBox.ts'
import { sealContexts } from '../secrets/sealedValues.ts'

/** Address and keys of a browser, as it states them. Source: Push API §8. */
export type BrowserSubscription = { endpoint: string; keys: { p256dh: string; auth: string } }

export type OpenSubscriptionDeps = { secrets: SecretBox }

/** Seals the address and the keys of a browser, with which anyone could send it messages. */
export function sealSubscription(
  { secrets }: OpenSubscriptionDeps,
  id: string,
  { endpoint, keys: { p256dh, auth } }: BrowserSubscription,
): string {
  return secrets.seal(JSON.stringify({ endpoint, keys: { p256dh, auth } }), sealContexts.pushSubscription(id))
}

/** Opens what `sealSubscription` returned. */
export function openSubscription(
  { secrets }: OpenSubscriptionDeps,
  { subscriptionId, sealed }: { subscriptionId: string; sealed: string },
): BrowserSubscription {
  return JSON.parse(secrets.open(sealed, sealContexts.pushSubscription(subscriptionId)))
}
