import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import {
  createOrganisation,
  type Organisation,
  registerAgent,
  registerEndpoint,
} from '../../../../builders/participants.ts'
import { api } from '../../../../harness/service/api.ts'
import { type StartedService, startService } from '../../../../harness/service/startService.ts'

describe('a counterparty named by its URL', () => {
  let service: StartedService
  let shop: Organisation
  let stranger: Organisation
  let agentId: string
  let host: string

  before(async () => {
    service = await startService()
    shop = await createOrganisation(service.baseUrl)
    stranger = await createOrganisation(service.baseUrl)
    agentId = (await registerAgent(service.baseUrl)).svcId
  })
  after(() => service.stop())
  beforeEach(() => {
    host = `${randomUUID()}.acme.io`
  })

  const closed = { pdlss: { scope: { deniedResources: ['/secret'] } } }
  const register = (path: string, fields: object = {}, by = shop) =>
    registerEndpoint(service.baseUrl, by.apiKey, { counterpartyUrl: `https://${host}${path}`, ...fields })
  const verify = async (counterpartyUrl: string, by = shop) =>
    (
      await api(service.baseUrl, 'POST', '/api/agents/verify-access', {
        bearer: by.apiKey,
        body: { agentId, counterpartyUrl, resource: '/secret' },
      })
    ).body
  const dimensionsOf = ({ access }: { access: { failures?: { dimension: string }[] } }) =>
    access.failures?.map(({ dimension }) => dimension)
  const act = async (id: string, step: string) => {
    const path = `/api/endpoints/${id}/${step}`
    const { status } = await api(service.baseUrl, 'POST', path, { bearer: shop.accessToken })
    expect(status, step).to.equal(200)
  }
  /** Another organisation of the same person. */
  const organisationOf = async ({ accessToken: bearer, ...person }: Organisation): Promise<Organisation> => {
    const post = async (path: string, body: object) =>
      (await api(service.baseUrl, 'POST', path, { bearer, body })).body
    const { organizationId } = await post('/api/organizations', { name: 'Another' })
    const { key: apiKey } = await post('/api/api-keys', { name: 'key', organizationId })
    return { ...person, accessToken: bearer, organizationId, apiKey }
  }
  const rowsOf = async () => (await service.rows('SELECT id FROM endpoints WHERE host = ?', host)).length

  it('is the claimed endpoint with the longest path that contains it, over either scheme', async () => {
    await register('/')
    await register('/api', closed)
    for (const url of [`https://${host}/api`, `https://${host}/api/v1/orders`, `http://${host}/api/v1?x=1`]) {
      expect(dimensionsOf(await verify(url)), url).to.deep.equal(['endpoint.scope'])
    }
    for (const url of [`https://${host}/`, `https://${host}/apis`, `https://${host}/other/api`]) {
      expect((await verify(url)).recommendation, url).to.equal('grant')
    }
    expect(await rowsOf()).to.equal(2)
  })

  it('belongs to the owner of the host also below the claimed path', async () => {
    await register('/api')
    expect(await verify(`https://${host}/api/v1`, stranger)).to.include({ code: 'COUNTERPARTY_KEY_MISMATCH' })
  })

  it('stays closed once its endpoint is archived, and below it', async () => {
    await register('/')
    const svceId = await register('/api')
    for (const step of ['deactivate', 'archive']) await act(svceId, step)
    for (const url of [`https://${host}/api`, `https://${host}/api/v1`]) {
      expect(dimensionsOf(await verify(url)), url).to.deep.equal(['counterparty.status'])
    }
    expect((await verify(`https://${host}/`)).recommendation).to.equal('grant')
    await register('/api')
    expect((await verify(`https://${host}/api/v1`)).recommendation).to.equal('grant')
  })

  it('is open again once it is registered over the other scheme, as over the same', async () => {
    for (const [before, after] of [
      ['https', 'http'],
      ['http', 'https'],
      ['https', 'https'],
    ] as const) {
      host = `${randomUUID()}.acme.io`
      const at = (scheme: string) =>
        registerEndpoint(service.baseUrl, shop.apiKey, { counterpartyUrl: `${scheme}://${host}/api` })
      const archived = await at(before)
      for (const step of ['deactivate', 'archive']) await act(archived, step)
      await at(after)
      for (const scheme of ['http', 'https']) {
        const { recommendation } = await verify(`${scheme}://${host}/api/v1`)
        expect(recommendation, `${before}, ${after}: ${scheme}`).to.equal('grant')
      }
    }
  })

  it('is refused as deactivated by its endpoint and below it, to its owner too', async () => {
    const svceId = await register('/api')
    await act(svceId, 'deactivate')
    for (const url of [`https://${host}/api`, `https://${host}/api/v1`]) {
      expect(dimensionsOf(await verify(url)), url).to.deep.equal(['counterparty.status'])
      expect(await verify(url, stranger), url).to.include({ code: 'COUNTERPARTY_KEY_MISMATCH' })
    }
    expect(await rowsOf()).to.equal(1)
  })

  it('makes one row for the account on a host, at whatever path, port or scheme', async () => {
    const urls = ['/a', '/a/b/c', '/b', '', ':8443/c'].map((path) => `https://${host}${path}`)
    for (const url of [...urls, `http://${host}/d`]) await verify(url)
    expect(await rowsOf()).to.equal(1)
    await verify(urls[0] ?? '', stranger)
    expect(await rowsOf()).to.equal(2)
  })

  it('makes one row for a person, however many organisations of theirs name the host, also simultaneously', async () => {
    const organisations = [shop, ...(await Promise.all([1, 2, 3].map(() => organisationOf(shop))))]
    const url = `https://${host}/a`
    const answers = await Promise.all(organisations.map((by) => verify(url, by)))
    expect(answers.map(({ recommendation }) => recommendation)).to.deep.equal(answers.map(() => 'grant'))
    for (const by of organisations) await verify(`https://${host}/b`, by)
    const [row] = await service.rows<{ owner_id: string }>(
      'SELECT owner_id FROM endpoints WHERE host = ?',
      host,
    )
    expect(await rowsOf()).to.equal(1)
    const others = organisations.filter(({ organizationId }) => organizationId !== row?.owner_id)
    expect(others).to.have.length(3)
    await register('/', {}, others[0])
    expect((await verify(`https://${host}/b`, others[0])).recommendation).to.equal('grant')
  })

  it('makes one row for many simultaneous requests to paths of a new host', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, nth) => verify(`https://${host}/orders/${nth % 10}`)),
    )
    expect(new Set(answers.map(({ recommendation }) => recommendation))).to.deep.equal(new Set(['grant']))
    expect(await rowsOf()).to.equal(1)
  })

  it('is shown by the URL that the request named, and an approval holds for that URL', async () => {
    const held = { pdlss: { limits: { autonomousThreshold: 50, approvalThreshold: 100, currency: 'EUR' } } }
    const { svcId } = await registerAgent(service.baseUrl, held)
    const ask = (path: string, attemptId?: string) =>
      api(service.baseUrl, 'POST', '/api/agents/verify-access', {
        bearer: shop.apiKey,
        body: {
          agentId: svcId,
          counterpartyUrl: `https://${host}${path}`,
          ...{ transactionValue: 60, currency: 'EUR', attemptId },
        },
      })
    await verify(`https://${host}/a`)
    const { stepUpApproval } = (await ask('/b')).body
    const [{ request } = { request: '{}' }] = await service.rows<{ request: string }>(
      'SELECT request FROM step_up_approvals WHERE id = ?',
      stepUpApproval.approvalId,
    )
    expect(JSON.parse(request).counterpartyUrl).to.equal(`https://${host}/b`)
    expect((await ask('/b', stepUpApproval.attemptId)).body.stepUpApproval.approvalId).to.equal(
      stepUpApproval.approvalId,
    )
    expect((await ask('/a', stepUpApproval.attemptId)).body.code).to.equal('ATTEMPT_MISMATCH')
  })

  it('makes another row beside one that the account has claimed or deactivated, and none below it', async () => {
    await verify(`https://${host}/a`)
    const [{ id } = { id: '' }] = await service.rows<{ id: string }>(
      'SELECT id FROM endpoints WHERE host = ?',
      host,
    )
    await act(id, 'deactivate')
    expect(dimensionsOf(await verify(`https://${host}/a/b`))).to.deep.equal(['counterparty.status'])
    expect((await verify(`https://${host}/b`)).recommendation).to.equal('grant')
    await register('/c')
    for (const path of ['/b/x', '/c/x', '/d']) await verify(`https://${host}${path}`)
    expect(await rowsOf()).to.equal(3)
  })

  it('stays closed once it was archived before it was claimed, and below it, until it is claimed', async () => {
    const url = `https://${host}/a`
    await verify(url)
    const [{ id } = { id: '' }] = await service.rows<{ id: string }>(
      'SELECT id FROM endpoints WHERE host = ?',
      host,
    )
    for (const step of ['deactivate', 'archive']) await act(id, step)
    for (const closedUrl of [url, `${url}/b`, `http://${host}/a`]) {
      expect(dimensionsOf(await verify(closedUrl)), closedUrl).to.deep.equal(['counterparty.status'])
    }
    expect(await rowsOf()).to.equal(1)
    expect((await verify(url, stranger)).recommendation).to.equal('grant')
    await register('/a')
    expect((await verify(`${url}/b`)).recommendation).to.equal('grant')
  })

  it('stays closed where a former release discovered it again after it was archived', async () => {
    await verify(`https://${host}/b`)
    const [{ id } = { id: '' }] = await service.rows<{ id: string }>(
      'SELECT id FROM endpoints WHERE host = ?',
      host,
    )
    for (const step of ['deactivate', 'archive']) await act(id, step)
    expect((await verify(`https://${host}/a`)).recommendation).to.equal('grant')
    expect(await rowsOf()).to.equal(2)
    await service.rows('UPDATE endpoints SET url = ? WHERE id = ?', `https://${host}/a`, id)
    expect(dimensionsOf(await verify(`https://${host}/a/c`))).to.deep.equal(['counterparty.status'])
  })

  it('cannot be registered by another account anywhere on the host', async () => {
    await register('/api')
    for (const path of ['/', '/api/v1', '/elsewhere']) {
      for (const scheme of ['http', 'https']) {
        const body = { name: 'Squatter', counterpartyUrl: `${scheme}://${host}${path}` }
        const refused = await api(service.baseUrl, 'POST', '/api/endpoints', {
          bearer: stranger.apiKey,
          body,
        })
        expect([refused.status, refused.body.code], path).to.deep.equal([409, 'URL_ALREADY_CLAIMED'])
      }
    }
    expect(await register('/elsewhere')).to.match(/^SVCE-/)
  })
})
