import { createIssuerKeys, verifyReceipt } from '@svc/client/receipts'
import { callService } from './callService.ts'
import type { DemoContext, Shop } from './demoContext.ts'

type Checked = { receipt: string; svcId: string; shop: Shop; keyThumbprint: string }

/**
 * Shows that a receipt proves the verdict to whatever stands behind the shop's gateway, without another request to the
 * service, and that it cannot be altered.
 */
export async function checkReceipt(
  { baseUrl, narrator }: DemoContext,
  { receipt, svcId, shop, keyThumbprint }: Checked,
): Promise<void> {
  const { policy_decision_point: issuer } = await callService(
    baseUrl,
    'GET',
    '/.well-known/authzen-configuration',
  )
  const published = await callService(baseUrl, 'GET', '/.well-known/jwks.json')
  // With the keys at hand, nothing is fetched from here on.
  const keys = createIssuerKeys({ issuer, keys: published.keys })
  const check = { issuer, keys, audience: shop.svceId, agentId: svcId, keyThumbprint }
  const checked = await verifyReceipt(receipt, check)
  narrator.check('the receipt of the grant is verified offline', checked.ok, checked)
  const altered = await verifyReceipt(alterValue(receipt), check)
  narrator.check(
    'the same receipt for a higher value is refused',
    altered.reason === 'signature_mismatch',
    altered,
  )
}

/** Multiplies the granted value by a thousand, and leaves the signature as it is. */
function alterValue(receipt: string): string {
  const [head, payload = '', signature] = receipt.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { value: number }
  const altered = JSON.stringify({ ...claims, value: claims.value * 1_000 })
  return [head, Buffer.from(altered).toString('base64url'), signature].join('.')
}
