import { expect } from 'chai'
import { createAgentKey } from '../../../builders/createAgentKey.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'
import { PDLSS } from '../approvals/openOwnerScene.ts'
import { type Developer, openRequests, REQUESTS, type Requests, seen } from './openRequests.ts'

const MINUTE_MS = 60_000
const LIFETIME_MS = 15 * MINUTE_MS

describe('an agent registered with the passkey of its owner', () => {
  let scene: Requests
  let ada: Developer

  before(async () => {
    scene = await openRequests()
    ada = await scene.developer({ isVerified: false })
  })
  after(() => scene?.service.stop())

  const prepare = (body: object, person = ada) => person.call('POST', REQUESTS, { body })
  const approve = (requestId: string, response: object, person = ada) =>
    person.call('POST', `${REQUESTS}/${requestId}/approve`, { body: { response } })

  it('belongs to the account and has the stated key, and the registry holds its token', async () => {
    const { jwk, kid } = createAgentKey()
    const asked = { name: 'Mine', description: 'Buys', pdlss: PDLSS }
    const prepared = await prepare({ ...asked, keys: [jwk] })
    expect(prepared.status, JSON.stringify(prepared.body)).to.equal(201)
    const { request } = prepared.body
    expect(request).to.include({ kind: 'account', status: 'pending', ownerId: ada.developerId })
    const approved = await approve(request.requestId, ada.authenticator.assert(request.assertionOptions))
    expect(approved.status, JSON.stringify(approved.body)).to.equal(200)
    const { svcId } = approved.body.request
    const { agent } = (await ada.call('GET', `/api/agents/${svcId}`)).body
    expect(agent).to.deep.include({ ...asked, agentStatus: 'active' })
    expect(await scene.ownerOf(svcId)).to.equal(ada.developerId)
    const { items } = (await ada.call('GET', `/api/agents/${svcId}/keys`)).body
    expect(items.map((key: { kid: string }) => key.kid)).to.deep.equal([kid])
    const [intent] = await scene.service.rows<{ payload: string }>(
      'SELECT payload FROM relayer_intents WHERE idempotency_key LIKE ?',
      `%${svcId}%`,
    )
    expect(JSON.parse(intent?.payload ?? '{}')).to.include({ owner: null, svcId })
  })

  it('asks its owner what the registration says, and otherwise about spend', async () => {
    const approvalRules = [{ dimension: 'purpose', match: {} }]
    for (const [asked, expected] of [
      [{ approvalRules }, approvalRules],
      [{}, [{ dimension: 'spend', match: {} }]],
    ] as const) {
      const { request } = (await prepare({ name: 'Mine', ...asked })).body
      expect(request.registration.approvalRules).to.deep.equal(
        'approvalRules' in asked ? approvalRules : undefined,
      )
      const approved = await approve(request.requestId, ada.authenticator.assert(request.assertionOptions))
      const { svcId } = approved.body.request
      const { rules } = (await ada.call('GET', `/api/agents/${svcId}/approval-rules`)).body
      expect(rules).to.deep.equal(expected)
    }
  })

  it('is not registered for an assertion over another registration', async () => {
    const small = (await prepare({ name: 'Small', pdlss: PDLSS })).body.request
    const large = (await prepare({ name: 'Large' })).body.request
    const response = ada.authenticator.assert(small.assertionOptions)
    expect(seen(await approve(large.requestId, response))).to.deep.equal([403, 'PASSKEY_REJECTED'])
  })

  it('is not registered with fields that the passkey did not sign', async () => {
    const { requestId, assertionOptions } = (await prepare({ name: 'Small', pdlss: PDLSS })).body.request
    const body = { response: ada.authenticator.assert(assertionOptions), pdlss: {} }
    const refused = await ada.call('POST', `${REQUESTS}/${requestId}/approve`, { body })
    expect(seen(refused)).to.deep.equal([400, 'VALIDATION_ERROR'])
  })

  it('is seen and decided by nobody else', async () => {
    const { requestId, assertionOptions } = (await prepare({ name: 'Mine' })).body.request
    const bob = await scene.developer({ isVerified: false })
    const response = ada.authenticator.assert(assertionOptions)
    expect(seen(await approve(requestId, response, bob))).to.deep.equal([404, 'NOT_FOUND'])
  })

  it('can be registered for 15 minutes', async () => {
    const { requestId, assertionOptions, expiresAt } = (await prepare({ name: 'Late' })).body.request
    expect(Date.parse(expiresAt)).to.equal(scene.time.now + LIFETIME_MS)
    scene.time.now += LIFETIME_MS
    const response = ada.authenticator.assert(assertionOptions)
    expect(seen(await approve(requestId, response))).to.deep.equal([409, 'INVALID_STATE'])
  })

  it('requires a passkey', async () => {
    const { data } = (
      await scene.call('POST', '/api/auth/register', {
        body: {
          ...{ email: 'no.passkey@people.io', password: 'correct horse battery', fullName: 'No Passkey' },
          accountType: 'individual',
        },
      })
    ).body
    const refused = await scene.call('POST', REQUESTS, {
      bearer: data.accessToken,
      body: { name: 'Mine' },
    })
    expect(seen(refused)).to.deep.equal([409, 'INVALID_STATE'])
    expect(refused.body.message).to.include('passkey')
  })

  it('is rejected immediately if its fields are wrong, its parent is not the account’s or its key is taken', async () => {
    const bob = await scene.developer({ isVerified: false })
    const { jwk } = createAgentKey()
    const { requestId, assertionOptions } = (await prepare({ name: 'Theirs', keys: [jwk] }, bob)).body.request
    await approve(requestId, bob.authenticator.assert(assertionOptions), bob)
    const { svcId } = await scene.poll(requestId)
    expect(seen(await prepare({ name: 5 }))).to.deep.equal([400, 'VALIDATION_ERROR'])
    expect(seen(await prepare({ name: 'Mine', apiEndpoint: 'ftp://x.io' }))).to.deep.equal([
      400,
      'VALIDATION_ERROR',
    ])
    expect(seen(await prepare({ name: 'Mine', parentAgentId: svcId }))).to.deep.equal([
      400,
      'VALIDATION_ERROR',
    ])
    expect(seen(await prepare({ name: 'Mine', keys: [jwk] }))).to.deep.equal([409, 'KEY_TAKEN'])
    const misplaced = { keyProofs: ['x.y.z'], onChain: { deadline: 1, signature: `0x${'00'.repeat(65)}` } }
    const { status, body } = await prepare({ name: 'Mine', ...misplaced })
    const pointers = body.errors.map(({ pointer, code }: Record<string, string>) => [pointer, code])
    expect([status, pointers]).to.deep.equal([
      400,
      [
        ['/onChain', 'not_applicable'],
        ['/keyProofs', 'not_applicable'],
      ],
    ])
  })

  it('raises no alert for a request that its owner makes, unlike one by API key', async () => {
    const eve = await scene.developer()
    const own = (await prepare({ name: 'Own' }, eve)).body.request
    const byKey = await eve.asks({ name: 'By key' })
    const alerts = await waitUntil(async () => {
      const { items } = (await eve.call('GET', '/api/alerts')).body
      return items.length > 0 ? items : null
    })
    const ids = alerts.map(({ data }: { data: { requestId?: string } }) => data.requestId)
    expect(ids).to.include(byKey).and.not.to.include(own.requestId)
  })
})
