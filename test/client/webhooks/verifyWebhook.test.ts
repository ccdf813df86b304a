import { randomBytes } from 'node:crypto'
import { rawBody } from '@svc/client/express'
import { signWebhook, verifyWebhook } from '@svc/client/webhooks'
import { expect } from 'chai'
import express from 'express'
import { signWebhook as signAsService } from '../../../server/external/outbound/signWebhook.ts'
import { listen } from '../../harness/peers/listen.ts'

const SECRET = `whsec_${randomBytes(24).toString('base64')}`
const OLD_SECRET = `whsec_${randomBytes(24).toString('base64')}`
const BODY = '{"id":"1","type":"webhook.test","text":"ünïcode"}'
const NOW = Date.UTC(2026, 0, 5)
const SECONDS = NOW / 1000

const sent = (secrets = [SECRET], payload = BODY) =>
  signAsService({ id: '1', timestamp: SECONDS, payload, secrets })
const verdict = (changes: Partial<Parameters<typeof verifyWebhook>[0]> = {}) =>
  verifyWebhook({ rawBody: BODY, headers: sent(), secret: SECRET, now: NOW, ...changes })

describe('verifyWebhook', () => {
  it('accepts the service’s webhooks, with any kind of headers and body', () => {
    const lower = Object.fromEntries(
      Object.entries(sent()).map(([name, value]) => [name.toLowerCase(), value]),
    )
    for (const headers of [sent(), lower, new Headers(sent())]) {
      expect(verdict({ headers })).to.deep.equal({ ok: true, reason: null })
      expect(verdict({ headers, rawBody: Buffer.from(BODY) }).ok).to.equal(true)
    }
  })

  it('accepts one valid signature of several, for one of several secrets', () => {
    expect(verdict({ headers: sent([OLD_SECRET, SECRET]) }).ok).to.equal(true)
    expect(verdict({ headers: sent([OLD_SECRET]), secret: [SECRET, OLD_SECRET] }).ok).to.equal(true)
  })

  it('tolerates a difference of five minutes in either direction by default', () => {
    for (const offSeconds of [-300, 300]) {
      expect(verdict({ now: NOW + offSeconds * 1000 }).ok).to.equal(true)
      const late = NOW + offSeconds * 1000 + Math.sign(offSeconds) * 1000
      expect(verdict({ now: late })).to.deep.equal({ ok: false, reason: 'timestamp_out_of_tolerance' })
      expect(verdict({ now: late, toleranceSeconds: 301 }).ok).to.equal(true)
    }
  })

  it('rejects another body, secret or timestamp', () => {
    const wrong = { ok: false, reason: 'signature_mismatch' }
    expect(verdict({ rawBody: `${BODY} ` })).to.deep.equal(wrong)
    expect(verdict({ secret: OLD_SECRET })).to.deep.equal(wrong)
    const moved = (sent()['X-Svc-Signature'] ?? '').replace(/t=\d+/, `t=${SECONDS + 1}`)
    expect(verdict({ headers: { 'X-Svc-Signature': moved } })).to.deep.equal(wrong)
  })

  it('reports a missing secret for every request', () => {
    for (const secret of [undefined, '', [], ['']]) {
      const missing = { ok: false, reason: 'missing_secret' }
      expect(verdict({ secret })).to.deep.equal(missing)
      expect(verdict({ secret, headers: {}, rawBody: undefined })).to.deep.equal(missing)
    }
  })

  it('rejects malformed signatures and never throws', () => {
    expect(verdict({ headers: {} })).to.deep.equal({ ok: false, reason: 'missing_header' })
    // The last is the parsed body that a JavaScript host may pass.
    for (const rawBody of [undefined, null, JSON.parse(BODY)]) {
      expect(verdict({ rawBody })).to.deep.equal({ ok: false, reason: 'missing_body' })
    }
    for (const text of ['t=1', 'v1=00', `t=x,v1=${'0'.repeat(64)}`, `t=1,v1=${'z'.repeat(64)}`, ',,,', '=']) {
      const { reason } = verdict({ headers: { 'x-svc-signature': text } })
      expect(reason).to.equal('malformed_header')
    }
  })

  it('agrees with signWebhook', () => {
    const headers = signWebhook({ rawBody: BODY, secret: [OLD_SECRET, SECRET], timestamp: SECONDS })
    expect(headers['X-Svc-Signature']).to.equal(sent([OLD_SECRET, SECRET])['X-Svc-Signature'])
    expect(verdict({ headers }).ok).to.equal(true)
  })
})

describe('rawBody', () => {
  async function receiver() {
    const app = express()
    app.post('/', rawBody(), (req, res) => {
      res.json(verifyWebhook({ rawBody: req.rawBody, headers: req.headers, secret: SECRET, now: NOW }))
    })
    return listen(app)
  }

  it('stores the unchanged body', async () => {
    const at = await receiver()
    const response = await fetch(at.url, { method: 'POST', body: BODY, headers: sent() })
    const answer = await response.json()
    await at.stop()
    expect(answer).to.deep.equal({ ok: true, reason: null })
  })

  it('responds with 413 to more than 1 MiB', async () => {
    const at = await receiver()
    const { status } = await fetch(at.url, { method: 'POST', body: 'x'.repeat(1024 * 1024 + 1) })
    await at.stop()
    expect(status).to.equal(413)
  })
})
