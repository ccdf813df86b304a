import { verifyWebhook } from '@svc/client/fetch'
import { signWebhook, verifyWebhook as verifyWithNode, type WebhookToVerify } from '@svc/client/webhooks'
import { expect } from 'chai'

const SECRET = 'whsec_c2VjcmV0'
const OLD_SECRET = 'whsec_b2xk'
const BODY = '{"text":"ünïcode"}'
const NOW = Date.UTC(2026, 0, 5)
const SECONDS = NOW / 1000
const HEADERS = signWebhook({ rawBody: BODY, secret: [OLD_SECRET, SECRET], timestamp: SECONDS })
const SENT: WebhookToVerify = { rawBody: BODY, headers: HEADERS, secret: SECRET, now: NOW }

describe('verifyWebhook with Web Crypto', () => {
  it('accepts what the service signs, as text or bytes, with either secret of a rotation', async () => {
    const variants = [
      {},
      { rawBody: new TextEncoder().encode(BODY) },
      { headers: new Headers(HEADERS) },
      { secret: OLD_SECRET },
      { secret: ['whsec_another', SECRET] },
    ]
    for (const changes of variants) {
      expect(await verifyWebhook({ ...SENT, ...changes })).to.deep.equal({ ok: true, reason: null })
    }
  })

  it('gives the reasons that the form for Node gives', async () => {
    const changed: Partial<WebhookToVerify>[] = [
      { secret: '' },
      { rawBody: undefined },
      { headers: {} },
      { headers: { 'x-svc-signature': `t=${SECONDS},v1=00` } },
      { rawBody: `${BODY} ` },
      { now: NOW + 301_000 },
    ]
    const reasons: unknown[] = []
    for (const changes of changed) {
      const webhook = { ...SENT, ...changes }
      const verdict = await verifyWebhook(webhook)
      expect(verdict).to.deep.equal(verifyWithNode(webhook))
      reasons.push(verdict.reason)
    }
    expect(reasons).to.deep.equal([
      'missing_secret',
      'missing_body',
      'missing_header',
      'malformed_header',
      'signature_mismatch',
      'timestamp_out_of_tolerance',
    ])
  })
})
