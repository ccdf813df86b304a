import { expect } from 'chai'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { signHeaders } from '../../../builders/participants.ts'
import { type Developer, openRequests, type Requests, seen } from './openRequests.ts'

const PATH = '/api/agents/register'
const BODY = { name: 'Signs for itself' }

describe('an agent requested by API key with a key of its own', () => {
  let scene: Requests
  let ada: Developer
  const own = privateKeyToAccount(generatePrivateKey())

  before(async () => {
    scene = await openRequests()
    ada = await scene.developer()
  })
  after(() => scene?.service.stop())

  const seconds = () => Math.floor(scene.time.now / 1000)
  const headersFor = (path: string, body: string) =>
    signHeaders(own, { method: 'POST', path, body, timestamp: seconds(), service: scene.baseUrl })

  it('shows its address to the owner, and gets tokens once approved', async () => {
    const asked = await ada.register(BODY, await headersFor(PATH, JSON.stringify(BODY)))
    expect(seen(asked)).to.deep.equal([202, undefined])
    const { requestId } = asked.body
    expect((await ada.read(requestId)).registration.signerAddress).to.equal(own.address.toLowerCase())
    const { svcId } = (await ada.approveRequest(requestId)).body.request
    expect(await scene.ownerOf(svcId)).to.equal(ada.developerId)
    const path = `/api/agents/${svcId}/token`
    const token = await scene.call('POST', path, { headers: await headersFor(path, '') })
    expect(token.status, JSON.stringify(token.body)).to.equal(200)
    const itself = await scene.call('GET', `/api/agents/${svcId}`, { bearer: token.body.agentToken })
    expect(seen(itself)).to.deep.equal([403, 'FORBIDDEN'])
  })

  it('is refused with a signature over another body, by another key, or by an unnamed key', async () => {
    const good = await headersFor(PATH, JSON.stringify(BODY))
    const { 'x-svc-address': _, ...unnamed } = await headersFor(PATH, JSON.stringify(BODY))
    const other = { ...good, 'x-svc-address': privateKeyToAccount(generatePrivateKey()).address }
    for (const [body, headers] of [
      [{ name: 'Another' }, good],
      [BODY, other],
      [BODY, unnamed],
      [BODY, { 'x-svc-signature': '0x00' }],
    ] as const) {
      expect(seen(await ada.register(body, headers))).to.deep.equal([401, 'invalid_signature'])
    }
    // In the form that names no service, it could be meant for another registry.
    const unaddressed = await signHeaders(own, {
      ...{ method: 'POST', path: PATH, body: JSON.stringify(BODY), timestamp: seconds() },
    })
    expect(seen(await ada.register(BODY, unaddressed))).to.deep.equal([401, 'invalid_signature'])
    expect(seen(await ada.register(BODY, good))).to.deep.equal([202, undefined])
    expect(seen(await ada.register(BODY, good))).to.deep.equal([401, 'nonce_reused'])
  })

  it('has no stored key, and no tokens, if only the API key was used', async () => {
    const requestId = await ada.asks(BODY)
    const { svcId } = (await ada.approveRequest(requestId)).body.request
    const path = `/api/agents/${svcId}/token`
    const token = await scene.call('POST', path, { headers: await headersFor(path, '') })
    expect(seen(token)).to.deep.equal([403, 'FORBIDDEN'])
  })
})
