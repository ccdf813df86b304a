import { isEndpointIdentifier } from '@svc/core/ids/identifiers.ts'
import { expect } from 'chai'
import { openSecretBoxes } from '../../../../server/external/keys/openSecretBoxes.ts'
import { sealContexts } from '../../../../server/services/secrets/sealedValues.ts'
import { type Endpoints, openEndpoints } from './openEndpoints.ts'

describe('POST /api/endpoints', () => {
  let at: Endpoints

  before(async () => {
    at = await openEndpoints()
  })
  after(() => at.close())

  it('registers an endpoint of the key’s organisation', async () => {
    const pdlss = { limits: { maxCumulativeSpend: 100 }, scope: { deniedResources: ['/admin/**'] } }
    const routes = [{ pattern: '/orders/*', method: 'POST', minAccessLevel: 'standard' }]
    const body = at.bodyOf({ pdlss, routes, unverifiedAgentPolicy: 'audit' })
    const answer = await at.post(body)
    expect(answer.status).to.equal(201)
    const { success, svceId, webhookSecret, endpoint } = answer.body
    expect([success, isEndpointIdentifier(svceId)]).to.deep.equal([true, true])
    expect(webhookSecret).to.match(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const now = new Date(at.registry.time.now).toISOString()
    expect(endpoint).to.deep.equal({
      id: endpoint.id,
      svceId,
      organizationId: at.owner.organizationId,
      ownerIdentifier: at.owner.organizationId,
      verificationTier: 'self_asserted',
      status: 'active',
      counterpartyType: 'api',
      name: 'Shop API',
      counterpartyUrl: body.counterpartyUrl,
      trustScoreRequirement: 40,
      unverifiedAgentPolicy: 'audit',
      pdlss,
      requiredFacts: [],
      minIdentityProof: 'none',
      authorities: [],
      includeReceipt: false,
      routes,
      webhookSecret: `whsec_****${webhookSecret.slice(-4)}`,
      webhookUrl: null,
      createdAt: now,
      updatedAt: now,
    })
    expect(at.registry.changed).to.include(endpoint.id)
  })

  it('denies unverified agents and requires no score by default', async () => {
    const { endpoint } = await at.registered({ counterpartyType: undefined, trustScoreRequirement: null })
    expect(endpoint).to.include({
      counterpartyType: 'api',
      trustScoreRequirement: 0,
      unverifiedAgentPolicy: 'deny',
    })
  })

  it('records the registration for the owner’s feed', async () => {
    const { svceId, endpoint } = await at.registered()
    const record = (await at.registry.log()).at(-1)
    expect(record).to.include({
      event_type: 'endpoint.registered',
      owner_id: null,
      counterparty_owner_id: at.owner.organizationId,
      endpoint_id: endpoint.id,
    })
    expect(record.event).to.include({ svceId, claimedDiscovered: false })
    expect(record.entry.policyHashes.endpoint).to.equal((await at.rowOf(svceId)).pdlssHash)
  })

  it('returns the webhook secret once and stores it encrypted for this endpoint only', async () => {
    const { svceId, webhookSecret, endpoint } = await at.registered()
    const row = await at.rowOf(svceId)
    expect(row.webhookSecret).not.to.contain(webhookSecret)
    const { secrets } = openSecretBoxes({ dataDir: at.registry.dataDir })
    const sealed = row.webhookSecret ?? ''
    expect(secrets.open(sealed, sealContexts.webhookSecret(endpoint.id))).to.equal(webhookSecret)
    expect(() => secrets.open(sealed, sealContexts.webhookSecret('another'))).to.throw()
    for (const bearer of [at.owner.bearer, at.owner.organizationKey]) {
      const read = await at.get(`/${svceId}`, bearer)
      expect(read.body.endpoint.webhookSecret).to.equal(`whsec_****${webhookSecret.slice(-4)}`)
      expect(JSON.stringify(read.body)).not.to.contain(webhookSecret)
    }
  })

  it('accepts the URL under its older name, and normalises it', async () => {
    const url = at.newUrl()
    const spelled = url.replace('https://api', 'HTTPS://API').replace('/v1', ':443/./v1/?q=1#here')
    const { endpoint } = await at.registered({ counterpartyUrl: undefined, endpointUrl: spelled })
    expect(endpoint.counterpartyUrl).to.equal(url)
  })

  it('refuses a claimed URL, by anyone and in any spelling', async () => {
    const { endpoint } = await at.registered()
    const spelled = `${endpoint.counterpartyUrl}/?again`
    const before = await at.registry.stored()
    for (const bearer of [at.stranger.organizationKey, at.owner.organizationKey]) {
      const { status, body } = await at.post(at.bodyOf({ counterpartyUrl: spelled }), bearer)
      expect([status, body.code]).to.deep.equal([409, 'URL_ALREADY_CLAIMED'])
    }
    expect(await at.registry.stored()).to.deep.equal(before)
  })

  it('says of one’s own URL that it is one’s own, and of another’s only that it is claimed', async () => {
    const { svceId, endpoint } = await at.registered()
    const again = at.bodyOf({ counterpartyUrl: endpoint.counterpartyUrl })
    const mine = (await at.post(again)).body
    expect([mine.code, mine.message]).to.deep.equal([
      'URL_ALREADY_CLAIMED',
      `Your own endpoint ${svceId} already has ${endpoint.counterpartyUrl}.`,
    ])
    expect((await at.post(again, at.stranger.organizationKey)).body.message).not.to.contain(svceId)
  })

  it('gives a URL one owner, over HTTP and HTTPS alike', async () => {
    const counterpartyUrl = at.newUrl()
    const twin = counterpartyUrl.replace('https:', 'http:')
    await at.registered({ counterpartyUrl })
    const theirs = await at.post(at.bodyOf({ counterpartyUrl: twin }), at.stranger.organizationKey)
    expect([theirs.status, theirs.body.code]).to.deep.equal([409, 'URL_ALREADY_CLAIMED'])
    expect((await at.post(at.bodyOf({ counterpartyUrl: twin }))).status).to.equal(201)
    const discovered = await at.discovered(at.stranger.organizationId, `${at.newUrl()}/plain`)
    await at.registered({ counterpartyUrl: discovered.url.replace('https:', 'http:') })
    const claimed = await at.registry.call('POST', `/api/endpoints/${discovered.id}/claim`, {
      bearer: at.stranger.bearer,
      body: {},
    })
    expect([claimed.status, claimed.body.code]).to.deep.equal([409, 'URL_ALREADY_CLAIMED'])
  })

  it('accepts exactly one of many concurrent registrations of a URL', async () => {
    const counterpartyUrl = at.newUrl()
    const keys = [at.owner.organizationKey, at.stranger.organizationKey]
    const attempts = Array.from({ length: 10 }, (_, i) =>
      at.post(at.bodyOf({ counterpartyUrl }), keys[i % 2]),
    )
    const statuses = (await Promise.all(attempts)).map(({ status }) => status).sort()
    expect(statuses).to.deep.equal([201, ...Array(9).fill(409)])
  })

  it('allows a URL to be claimed again after its endpoint was archived', async () => {
    const { endpoint } = await at.registered()
    await at.archive(endpoint.id)
    const body = at.bodyOf({ counterpartyUrl: endpoint.counterpartyUrl })
    expect((await at.post(body, at.stranger.organizationKey)).status).to.equal(201)
  })

  it('claims an endpoint that the organisation or its member discovered, with its id and history', async () => {
    for (const ownerId of [at.owner.organizationId, at.owner.developerId]) {
      const known = await at.discovered(ownerId, at.newUrl())
      const { svceId, endpoint } = await at.registered({ counterpartyUrl: known.url })
      expect(endpoint).to.deep.include({
        id: known.id,
        svceId,
        verificationTier: 'self_asserted',
        organizationId: at.owner.organizationId,
        createdAt: new Date(known.createdAt).toISOString(),
      })
      expect((await at.registry.log()).at(-1).event.claimedDiscovered).to.equal(true)
      expect(await at.registry.stores.endpoints.discoveredByUrl(ownerId, known.url)).to.equal(null)
    }
  })

  it('does not affect endpoints that others discovered', async () => {
    const theirs = await at.discovered(at.stranger.organizationId, at.newUrl())
    const { endpoint } = await at.registered({ counterpartyUrl: theirs.url })
    expect(endpoint.id).not.to.equal(theirs.id)
    expect((await at.rowOf(theirs.id)).tier).to.equal('discovered')
  })

  it('requires a key of an organisation', async () => {
    const before = await at.registry.stored()
    const personal = await at.post(at.bodyOf(), at.owner.personalKey)
    expect([personal.status, personal.body.code]).to.deep.equal([409, 'ORG_REQUIRED'])
    const session = await at.post(at.bodyOf(), at.owner.bearer)
    expect([session.status, session.body.code]).to.deep.equal([401, 'UNAUTHENTICATED'])
    const nobody = await at.registry.call('POST', '/api/endpoints', { body: at.bodyOf() })
    expect([nobody.status, nobody.body.code]).to.deep.equal([401, 'UNAUTHENTICATED'])
    expect(await at.registry.stored()).to.deep.equal(before)
  })

  it('reports this to a personal key whatever the body', async () => {
    const { status, body } = await at.post({}, at.owner.personalKey)
    expect([status, body.code]).to.deep.equal([409, 'ORG_REQUIRED'])
  })

  const BAD: [what: string, change: object, pointer: string][] = [
    ['no name', { name: undefined }, '/name'],
    ['a blank name', { name: '  ' }, '/name'],
    ['a name in two scripts', { name: 'раураl' }, '/name'],
    ['no URL', { counterpartyUrl: undefined }, '/counterpartyUrl'],
    ['two different URLs', { endpointUrl: 'https://other-host.io' }, '/counterpartyUrl'],
    ['a URL that is none', { counterpartyUrl: 'shop' }, '/counterpartyUrl'],
    ['a URL of another scheme', { counterpartyUrl: 'ftp://shop-host.io' }, '/counterpartyUrl'],
    ['a URL with a password', { counterpartyUrl: 'https://u:p@shop-host.io' }, '/counterpartyUrl'],
    ['a host on this machine', { counterpartyUrl: 'http://localhost:9' }, '/counterpartyUrl'],
    ['a placeholder host', { counterpartyUrl: 'https://api.example.com' }, '/counterpartyUrl'],
    [
      'a URL of 2,049 characters',
      { counterpartyUrl: `https://a.io/${'x'.repeat(2049)}` },
      '/counterpartyUrl',
    ],
    ['a type nobody knows', { counterpartyType: 'toaster' }, '/counterpartyType'],
    ['a score above 100', { trustScoreRequirement: 101 }, '/trustScoreRequirement'],
    ['a score in parts', { trustScoreRequirement: 1.5 }, '/trustScoreRequirement'],
    ['an unknown policy', { unverifiedAgentPolicy: 'allow' }, '/unverifiedAgentPolicy'],
    ['a misspelt rule', { pdlss: { scope: { denied: [] } } }, '/pdlss/scope/denied'],
    ['a rule of agents', { pdlss: { scope: { counterparties: [] } } }, '/pdlss/scope/counterparties'],
    ['a route without a level', { routes: [{ pattern: '/**' }] }, '/routes/0/minAccessLevel'],
  ]
  it('names a missing URL once, together with all other errors', async () => {
    const pointersOf = async (sent: object) => {
      const { body } = await at.post(sent)
      return body.errors.map((error: { pointer: string }) => error.pointer)
    }
    expect(await pointersOf({})).to.deep.equal(['/name', '/counterpartyUrl'])
    expect(await pointersOf({ counterpartyUrl: 7 })).to.have.members(['/name', '/counterpartyUrl'])
    expect(await pointersOf([])).to.deep.equal([''])
    const two = { name: 'Shop', counterpartyUrl: 'https://a.io', endpointUrl: 'https://b.io' }
    expect(await pointersOf(two)).to.deep.equal(['/counterpartyUrl'])
  })

  for (const [what, change, pointer] of BAD) {
    it(`refuses ${what}, names the field and stores nothing`, async () => {
      const before = await at.registry.stored()
      const { status, body } = await at.post(at.bodyOf(change))
      expect([status, body.code]).to.deep.equal([400, 'VALIDATION_ERROR'])
      expect(body.errors.map((error: { pointer: string }) => error.pointer)).to.include(pointer)
      expect(await at.registry.stored()).to.deep.equal(before)
    })
  }

  it('accepts a host on this machine if private networks are allowed', async () => {
    const local = await openEndpoints({ allowPrivateNetwork: true })
    try {
      const { endpoint } = await local.registered({ counterpartyUrl: 'http://localhost:4001/' })
      expect(endpoint.counterpartyUrl).to.equal('http://localhost:4001')
    } finally {
      await local.close()
    }
  })
})
