import { expect } from 'chai'
import { openGate } from './openGate.ts'
import { ENDPOINT } from './openRegistry.ts'

const NAMED = { 'x-svc-id': `SVC-${'A'.repeat(22)}` }
const STATED = {
  ...{ 'X-Forwarded-Method': 'POST', 'X-Forwarded-Uri': '/orders?x=1', 'X-Forwarded-Host': 'shop.example' },
  'X-Forwarded-Proto': 'https',
}

describe('svc-gate asked by a proxy', () => {
  let opened: Awaited<ReturnType<typeof openGate>>
  afterEach(() => opened?.stop())

  it('verifies the request that the proxy states, and answers with the headers to pass on', async () => {
    opened = await openGate(null)
    const response = await fetch(`${opened.url}/verify`, { headers: { ...NAMED, ...STATED } })
    expect(response.status).to.equal(200)
    expect(response.headers.get('x-svc-access-level')).to.equal('full')
    expect(response.headers.get('x-svc-identity-proof')).to.equal('signature')
    expect(opened.asked[0]).to.include({ resource: '/orders', counterpartyId: ENDPOINT })
    expect(opened.asked[0]?.callerMetadata.host).to.equal('shop.example')
  })

  it('answers 403 with the reason to everything that does not pass, also to a held request, which is no yes', async () => {
    opened = await openGate(null, {
      answer: ({ agentId }) => ({
        ...{ success: true, access: { allowed: false, accessLevel: 'none', reason: '', failures: [] } },
        recommendation: agentId === undefined ? 'deny' : 'step_up_required',
        recommendationReasons: [],
      }),
    })
    for (const [headers, own] of [
      [{}, '403'],
      [NAMED, '202'],
    ] as const) {
      const response = await fetch(opened.url, { headers: { ...headers, ...STATED } })
      expect(response.status).to.equal(403)
      expect(response.headers.get('x-svc-gate-status')).to.equal(own)
      expect(await response.json()).to.have.property('code')
    }
  })

  it('answers 503 to a proxy that does not state the request, and without a decision', async () => {
    opened = await openGate(null)
    const { 'X-Forwarded-Uri': _uri, ...partly } = STATED
    expect((await fetch(opened.url, { headers: { ...NAMED, ...partly } })).status).to.equal(503)
    expect(opened.asked).to.deep.equal([])
    expect(opened.warnings.join()).to.include('X-Forwarded-Uri')
  })

  it('takes the question itself for the request if that is how the proxy asks, whatever the caller states', async () => {
    opened = await openGate(null, { question: 'request' })
    const headers = { ...NAMED, 'X-Forwarded-Uri': '/public', 'X-Forwarded-Method': 'GET' }
    await fetch(`${opened.url}/orders/7`, { method: 'DELETE', headers })
    expect(opened.asked[0]).to.include({ resource: '/orders/7' })
  })

  it('hands over no digest of a body that it has not seen, so that a signature over it proves nothing', async () => {
    opened = await openGate(null)
    const signed = {
      ...{ signature: 'sig1=:AAAA:', 'signature-input': 'sig1=("@method" "content-digest");created=1' },
      'content-digest': 'sha-256=:AAAA:',
    }
    await fetch(opened.url, { headers: { ...NAMED, ...STATED, ...signed } })
    expect(opened.asked[0]?.callerMetadata).to.not.have.property('contentDigest')
  })
})
