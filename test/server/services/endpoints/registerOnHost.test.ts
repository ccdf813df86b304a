import type { DomainChallenge } from '@svc/core/contract/endpoints.ts'
import { expect } from 'chai'
import { newPerson, type Person } from '../agents/openRegistry.ts'
import { type Endpoints, openEndpoints } from './openEndpoints.ts'

describe('registering on a host of another owner', () => {
  /** The DNS values that are published somewhere. */
  const published = new Set<string>()
  const looked: DomainChallenge[] = []
  /** Runs while the service looks for a proof. */
  let meanwhile: (() => Promise<unknown>) | null = null
  const options = {
    async findHostProof(challenge: DomainChallenge) {
      looked.push(challenge)
      const isPublished = published.has(challenge.dns.value)
      await meanwhile?.()
      return { method: isPublished ? ('dns' as const) : null, failures: [] }
    },
  }
  let at: Endpoints
  let hosts = 0
  let host: string

  before(async () => {
    at = await openEndpoints(options)
  })
  after(() => at.close())
  beforeEach(() => {
    host = `host${++hosts}.shop-host.io`
    meanwhile = null
    looked.length = 0
  })

  const post = (path: string, by: Person, scheme = 'https') =>
    at.post(at.bodyOf({ counterpartyUrl: `${scheme}://${host}${path}` }), by.organizationKey)
  const registered = async (path: string, by: Person) => {
    const { status, body } = await post(path, by)
    expect(status, JSON.stringify(body)).to.equal(201)
    return body.endpoint
  }
  const challengeOf = async (by: Person, path = '/api'): Promise<DomainChallenge> => {
    const { status, body } = await post(path, by)
    expect([status, body.code]).to.deep.equal([409, 'URL_ALREADY_CLAIMED'])
    return body.challenge
  }
  const publish = async (by: Person) => published.add((await challengeOf(by)).dns.value)
  const proven = async (id: string) => {
    const { db, stores } = at.registry
    await db.transaction((trx) => stores.endpoints.update(trx, id, { tier: 'domain_verified' }))
  }
  const expectProven = ({ status, body }: Awaited<ReturnType<typeof post>>) => {
    expect([status, body.code]).to.deep.equal([409, 'URL_ALREADY_CLAIMED'])
    expect(body).not.to.have.property('challenge')
  }
  const alertsOf = async (by: Person) =>
    (await at.registry.db.query('alerts').where({ owner_id: by.organizationId })).filter(
      ({ code, data }) => code === 'endpoint.host_lost' && JSON.parse(data).host === host,
    )
  const mailsAbout = async () =>
    (await at.registry.db.query('mail_outbox').where({ template: 'host_lost' })).filter(
      ({ data }) => JSON.parse(data).host === host,
    )

  it('says what to publish, the same at every path, scheme and port, and something else to everybody', async () => {
    await registered('/api', at.owner)
    const challenge = await challengeOf(at.stranger)
    expect(challenge.dns.name).to.equal(`_svc-challenge.${host}`)
    expect(challenge.dns.value).to.match(/^svc-endpoint-verification=[0-9A-Za-z]{22}$/)
    expect(challenge.wellKnown).to.deep.equal({
      url: `https://${host}/.well-known/svc-endpoint-verification.json`,
      body: { verifications: [{ token: challenge.dns.value.split('=')[1] }] },
    })
    for (const [path, scheme] of [
      ['/api', 'http'],
      ['/api/v1', 'https'],
      [':8443/', 'https'],
    ] as const) {
      expect((await post(path, at.stranger, scheme)).body.challenge, path).to.deep.equal(challenge)
    }
    const another = await newPerson(at.registry)
    expect((await challengeOf(another)).dns.value).not.to.equal(challenge.dns.value)
    const first = host
    host = `other.${first}`
    await registered('/api', at.owner)
    expect((await challengeOf(at.stranger)).dns.value).not.to.equal(challenge.dns.value)
  })

  it('stores nothing and changes nothing until the challenge is published', async () => {
    const { id } = await registered('/api', at.owner)
    const before = await at.registry.stored()
    await challengeOf(at.stranger)
    expect(await at.registry.stored()).to.deep.equal(before)
    expect((await at.rowOf(id)).status).to.equal('active')
    expect(await at.registry.db.query('domain_proofs').where({ endpoint_id: id })).to.deep.equal([])
  })

  it('succeeds with the same call once it is published, with a verified domain that is checked every day', async () => {
    await registered('/api', at.owner)
    await publish(at.stranger)
    const endpoint = await registered('/api', at.stranger)
    expect(endpoint).to.include({
      verificationTier: 'domain_verified',
      organizationId: at.stranger.organizationId,
    })
    const [proof] = await at.registry.db.query('domain_proofs').where({ endpoint_id: endpoint.id })
    expect(proof).to.include({ method: 'dns', failures: 0, token: looked[0]?.dns.value.split('=')[1] })
    expect(Number(proof.next_check_at)).to.equal(at.registry.time.now + 24 * 3_600_000)
    const events = (await at.registry.log()).slice(-3)
    expect(
      events.map(({ event_type, endpoint_id }) => [event_type, endpoint_id === endpoint.id]),
    ).to.deep.equal([
      ['endpoint.archived', false],
      ['endpoint.registered', true],
      ['endpoint.domain_verified', true],
    ])
  })

  it('archives every endpoint of the former owner on the host, with its history, and says so to the owner', async () => {
    const kept = [await registered('/api', at.owner), await registered(':8443/', at.owner)]
    const closed = await registered('/closed', at.owner)
    await at.registry.call('POST', `/api/endpoints/${closed.id}/deactivate`, { bearer: at.owner.bearer })
    const elsewhere = await at.registered()
    await publish(at.stranger)
    at.registry.changed.length = 0
    await registered('/api', at.stranger)
    for (const { id, svceId } of [...kept, closed]) {
      const read = await at.get(`/${svceId}`, at.owner.organizationKey)
      expect(read.body.endpoint).to.include({ id, status: 'archived', verificationTier: 'self_asserted' })
      expect(at.registry.changed).to.include(id)
      const record = (await at.registry.log()).findLast((entry) => entry.endpoint_id === id)
      expect(record).to.include({
        event_type: 'endpoint.archived',
        counterparty_owner_id: at.owner.organizationId,
      })
      expect(record.event).to.include({ cause: 'host_proven_by_another_account', method: 'dns' })
      expect(record.event_data).not.to.contain(at.stranger.organizationId)
    }
    expect((await at.rowOf(elsewhere.endpoint.id)).status).to.equal('active')
    const { body } = await at.registry.call('GET', '/api/endpoints', { bearer: at.owner.bearer })
    expect(body.items.map(({ id }: { id: string }) => id)).not.to.include.members(kept.map(({ id }) => id))
    expect(await alertsOf(at.owner)).to.have.length(1)
    const mails = await mailsAbout()
    const [owner] = await at.registry.db.query('users').where({ id: at.owner.userId })
    expect(mails.map(({ recipient }) => recipient)).to.deep.equal([owner.email])
    expect(JSON.parse(mails[0].data).link).to.contain('/endpoints/SVCE-')
  })

  it('is refused without a challenge, and without a look, once the owner has proven the host', async () => {
    await registered('/other', at.owner)
    const { id } = await registered('/api', at.owner)
    await publish(at.stranger)
    await proven(id)
    looked.length = 0
    expectProven(await post('/other', at.stranger))
    expectProven(await post('/new', at.stranger))
    expect(looked).to.deep.equal([])
  })

  it('gives the owner who proves the host in the meantime the right of way', async () => {
    const { id } = await registered('/api', at.owner)
    await publish(at.stranger)
    meanwhile = () => proven(id)
    expectProven(await post('/api', at.stranger))
    expect((await at.rowOf(id)).status).to.equal('active')
  })

  it('lets the host be contested again after a proven endpoint was deactivated', async () => {
    const { id } = await registered('/api', at.owner)
    await proven(id)
    await at.registry.call('POST', `/api/endpoints/${id}/deactivate`, { bearer: at.owner.bearer })
    await publish(at.stranger)
    await registered('/api', at.stranger)
  })

  it('gives the host to exactly one of many claimants, who has proven it against the others', async () => {
    await registered('/api', at.owner)
    const claimants = await Promise.all([1, 2, 3, 4].map(() => newPerson(at.registry)))
    for (const claimant of claimants) await publish(claimant)
    const answers = await Promise.all(claimants.map((claimant) => post('/api', claimant)))
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([201, 409, 409, 409])
    for (const answer of answers.filter(({ status }) => status === 409)) expectProven(answer)
    const rows = await at.registry.db.query('endpoints').where({ host }).whereNot({ status: 'archived' })
    expect(rows).to.have.length(1)
  })

  it('keeps the former owner out until the new one’s proof has lapsed, and then lets them prove it', async () => {
    await registered('/api', at.owner)
    await publish(at.stranger)
    const { id } = await registered('/api', at.stranger)
    expectProven(await post('/api', at.owner))
    const { db, stores } = at.registry
    await db.transaction((trx) => stores.endpoints.update(trx, id, { tier: 'self_asserted' }))
    await publish(at.owner)
    expect(await registered('/api', at.owner)).to.include({ verificationTier: 'domain_verified' })
    expect((await at.rowOf(id)).status).to.equal('archived')
    expect(await alertsOf(at.stranger)).to.have.length(1)
  })

  it('archives any number of endpoints, and notifies their owner once', async () => {
    const { id } = await registered('/api', at.owner)
    const { db, stores } = at.registry
    const row = await at.rowOf(id)
    await db.transaction(async (trx) => {
      for (let nth = 0; nth < 250; nth++) {
        const url = `https://${host}/${nth}`
        const numbered = `01938000-0000-7000-9000-${String(nth).padStart(12, '0')}`
        await stores.endpoints.insert(trx, { ...row, id: numbered, svceId: `SVCE-${numbered}`, url })
      }
    })
    await publish(at.stranger)
    const before = (await at.registry.log()).length
    await registered('/0', at.stranger)
    const rows = await db.query('endpoints').where({ host, status: 'archived' })
    expect(rows).to.have.length(251)
    const added = (await at.registry.log()).slice(before).map((record) => record.event_type)
    expect(added.filter((type) => type === 'endpoint.archived')).to.have.length(251)
    expect([await alertsOf(at.owner), await mailsAbout()].map((sent) => sent.length)).to.deep.equal([1, 1])
  })

  it('holds for claiming a discovered endpoint, which keeps its id', async () => {
    const discovered = await at.discovered(at.stranger.organizationId, `https://${host}/api`)
    const former = await registered('/other', at.owner)
    const claim = () =>
      at.registry.call('POST', `/api/endpoints/${discovered.id}/claim`, {
        bearer: at.stranger.bearer,
        body: {},
      })
    const refused = await claim()
    expect([refused.status, refused.body.code]).to.deep.equal([409, 'URL_ALREADY_CLAIMED'])
    expect(refused.body.challenge).to.deep.equal(await challengeOf(at.stranger))
    published.add(refused.body.challenge.dns.value)
    const { status, body } = await claim()
    expect(status).to.equal(200)
    expect(body.endpoint).to.include({ id: discovered.id, verificationTier: 'domain_verified' })
    expect((await at.rowOf(former.id)).status).to.equal('archived')
  })

  it('names one’s own endpoint of another organisation', async () => {
    const { svceId, counterpartyUrl } = await registered('/api', at.owner)
    const { bearer } = at.owner
    const { body } = await at.registry.call('POST', '/api/organizations', { bearer, body: { name: 'Two' } })
    const { organizationId } = body
    const key = await at.registry.call('POST', '/api/api-keys', {
      bearer,
      body: { name: 'k', organizationId },
    })
    const refused = await post('/new', { ...at.owner, organizationKey: key.body.key })
    expect(refused.body.message).to.equal(`Your own endpoint ${svceId} already has ${counterpartyUrl}.`)
    expect(refused.body.challenge.dns.name).to.contain(host)
  })

  it('is about the URL only, over either scheme, on a private host', async () => {
    const local = await openEndpoints({ ...options, allowPrivateNetwork: true })
    const register = (url: string, by: Person) =>
      local.post(local.bodyOf({ counterpartyUrl: url }), by.organizationKey)
    try {
      await register('http://localhost:4001/a', local.owner)
      await register('http://localhost:4001/b', local.owner)
      expect((await register('http://localhost:4001/c', local.stranger)).status).to.equal(201)
      const { body } = await register('https://localhost:4001/a', local.stranger)
      expect(body.challenge.wellKnown.url).to.match(/^https:\/\/localhost:4001\/.well-known/)
      published.add(body.challenge.dns.value)
      expect((await register('https://localhost:4001/a', local.stranger)).status).to.equal(201)
      const rows = await local.registry.db.query('endpoints').select('url', 'status').orderBy('url')
      expect(rows.filter(({ status }) => status === 'archived')).to.deep.equal([
        { url: 'http://localhost:4001/a', status: 'archived' },
      ])
    } finally {
      await local.close()
    }
  })
})
