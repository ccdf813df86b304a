import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import {
  createOrganisation,
  type Organisation,
  registerAgent,
  registerEndpoint,
} from '../../../builders/participants.ts'
import { api } from '../../../harness/service/api.ts'
import { type StartedService, startService } from '../../../harness/service/startService.ts'

describe('the life cycle of an endpoint', () => {
  let service: StartedService
  let shop: Organisation
  let stranger: Organisation

  before(async () => {
    service = await startService()
    shop = await createOrganisation(service.baseUrl)
    stranger = await createOrganisation(service.baseUrl)
  })
  after(() => service.stop())

  const verify = async (body: object, bearer = shop.apiKey) =>
    (await api(service.baseUrl, 'POST', '/api/agents/verify-access', { bearer, body })).body
  const newUrl = () => `https://${randomUUID()}.shop-host.io/v1`
  const list = async (include: string) =>
    (await api(service.baseUrl, 'GET', `/api/endpoints?include=${include}`, { bearer: shop.accessToken }))
      .body.items as { id: string; counterpartyUrl: string; verificationTier: string; status: string }[]
  const discover = async (bearer = shop.apiKey) => {
    const counterpartyUrl = newUrl()
    await verify({ counterpartyUrl }, bearer)
    const found = (await list('discovered')).find((item) => item.counterpartyUrl === counterpartyUrl)
    return { counterpartyUrl, id: found?.id ?? '' }
  }
  const act = (id: string, action: string, body?: object, bearer = shop.accessToken) =>
    api(service.baseUrl, 'POST', `/api/endpoints/${id}/${action}`, { bearer, ...(body ? { body } : {}) })

  describe('claim', () => {
    it('gives a discovered endpoint its identifier and secret, and keeps its traffic history', async () => {
      const { id, counterpartyUrl } = await discover()
      const { status, body } = await act(id, 'claim', { name: 'Claimed', unverifiedAgentPolicy: 'audit' })
      expect(status).to.equal(200)
      expect(body.svceId).to.match(/^SVCE-[0-9A-Za-z]{22}$/)
      expect(body.webhookSecret).to.match(/^whsec_/)
      expect(body.endpoint).to.include({
        id,
        name: 'Claimed',
        verificationTier: 'self_asserted',
        organizationId: shop.organizationId,
      })
      expect((await verify({ counterpartyUrl })).recommendation).to.equal('audit')
      const { body: feed } = await api(service.baseUrl, 'GET', `/api/activity?endpoint=${body.svceId}`, {
        bearer: shop.apiKey,
      })
      expect(feed.items.map((event: { eventType: string }) => event.eventType)).to.deep.equal([
        'verification.unverified_audit',
        'endpoint.registered',
        'verification.unverified_deny',
      ])
    })

    it('requires an organisation if a personal key discovered the URL', async () => {
      const { id } = await discover(shop.personalKey)
      const refused = await act(id, 'claim')
      expect([refused.status, refused.body.code]).to.deep.equal([409, 'ORG_REQUIRED'])
      const foreign = await act(id, 'claim', { organizationId: stranger.organizationId })
      expect([foreign.status, foreign.body.code]).to.deep.equal([403, 'FORBIDDEN'])
      const claimed = await act(id, 'claim', { organizationId: shop.organizationId })
      expect(claimed.body.endpoint.ownerIdentifier).to.equal(shop.organizationId)
    })

    it('is refused if another account has registered the URL in the meantime', async () => {
      const { id, counterpartyUrl } = await discover()
      await registerEndpoint(service.baseUrl, stranger.apiKey, { counterpartyUrl })
      const refused = await act(id, 'claim')
      expect([refused.status, refused.body.code]).to.deep.equal([409, 'URL_ALREADY_CLAIMED'])
    })

    it('succeeds once among concurrent claims', async () => {
      const { id } = await discover()
      const answers = await Promise.all([1, 2, 3, 4].map(() => act(id, 'claim')))
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 409, 409, 409])
    })

    it('is available to a signed-in owner only', async () => {
      const { id } = await discover()
      expect((await act(id, 'claim', {}, stranger.accessToken)).status).to.equal(404)
      expect((await act(id, 'claim', {}, shop.apiKey)).body.code).to.equal('SESSION_REQUIRED')
      expect((await act(id, 'claim', { trustScoreRequirement: 101 })).status).to.equal(400)
      expect((await api(service.baseUrl, 'POST', `/api/endpoints/${id}/claim`)).status).to.equal(401)
    })
  })

  describe('deactivate and archive', () => {
    it('refuses all traffic immediately, verified and anonymous', async () => {
      const svceId = await registerEndpoint(service.baseUrl, shop.apiKey, {
        unverifiedAgentPolicy: 'allow_full',
      })
      const { svcId } = await registerAgent(service.baseUrl)
      expect((await verify({ counterpartyId: svceId, agentId: svcId })).recommendation).to.equal('grant')
      expect((await act(svceId, 'deactivate')).body.endpoint.status).to.equal('deactivated')
      for (const caller of [{ agentId: svcId }, {}]) {
        const { access } = await verify({ counterpartyId: svceId, ...caller })
        expect(access.failures[0].dimension).to.equal('counterparty.status')
        expect(access.accessLevel).to.equal('none')
      }
    })

    it('removes the contribution of its verified domain to the score of its owner’s agents', async () => {
      const svceId = await registerEndpoint(service.baseUrl, shop.apiKey)
      const other = await registerEndpoint(service.baseUrl, shop.apiKey)
      const { svcId } = await registerAgent(service.baseUrl)
      await service.rows('UPDATE endpoints SET tier = ? WHERE svce_id = ?', 'domain_verified', svceId)
      await service.rows('UPDATE agents SET owner_id = ? WHERE svc_id = ?', shop.organizationId, svcId)
      const score = async () =>
        (await verify({ counterpartyId: other, agentId: svcId, dryRun: true })).agent.trustScore
      const before = await score()
      await act(svceId, 'deactivate')
      expect(await score()).to.equal(before - 4)
    })

    it('removes an auto-registered endpoint, and keeps its URL closed to later calls', async () => {
      const { id, counterpartyUrl } = await discover()
      await act(id, 'deactivate')
      await act(id, 'archive')
      expect((await list('discovered')).map((item) => item.id)).to.not.include(id)
      expect((await list('discovered,archived')).map((item) => item.id)).to.include(id)
      const { access } = await verify({ counterpartyUrl })
      expect(access.failures)
        .to.have.lengthOf(1)
        .and.have.nested.property('[0].dimension', 'counterparty.status')
      const again = (await list('discovered')).filter((item) => item.counterpartyUrl === counterpartyUrl)
      expect(again).to.deep.equal([])
    })

    it('leaves an archived endpoint as it was', async () => {
      const svceId = await registerEndpoint(service.baseUrl, shop.apiKey)
      await act(svceId, 'deactivate')
      const put = () =>
        api(service.baseUrl, 'PUT', `/api/endpoints/${svceId}`, {
          bearer: shop.accessToken,
          body: { name: 'Other' },
        })
      expect((await put()).status, 'deactivated').to.equal(200)
      await act(svceId, 'archive')
      const { status, body } = await put()
      expect([status, body.code]).to.deep.equal([409, 'INVALID_STATE'])
    })

    it('frees the URL of an archived endpoint, and keeps its audit records', async () => {
      const counterpartyUrl = newUrl()
      const svceId = await registerEndpoint(service.baseUrl, shop.apiKey, { counterpartyUrl })
      const { auditRecordId } = await verify({ counterpartyId: svceId })
      await act(svceId, 'deactivate')
      await act(svceId, 'archive')
      expect(await registerEndpoint(service.baseUrl, stranger.apiKey, { counterpartyUrl })).to.not.equal(
        svceId,
      )
      const { status } = await api(service.baseUrl, 'GET', `/api/audit/records/${auditRecordId}`, {
        bearer: shop.apiKey,
      })
      expect(status).to.equal(200)
      expect((await verify({ counterpartyId: svceId })).access.failures[0].dimension).to.equal(
        'counterparty.status',
      )
    })

    it('is irreversible and ordered', async () => {
      const svceId = await registerEndpoint(service.baseUrl, shop.apiKey)
      const statuses = []
      for (const action of ['archive', 'deactivate', 'deactivate', 'archive', 'archive', 'deactivate']) {
        statuses.push((await act(svceId, action)).status)
      }
      expect(statuses).to.deep.equal([409, 200, 409, 200, 409, 409])
    })

    it('is available to a signed-in owner only', async () => {
      const svceId = await registerEndpoint(service.baseUrl, shop.apiKey)
      for (const action of ['deactivate', 'archive']) {
        expect((await act(svceId, action, undefined, stranger.accessToken)).status).to.equal(404)
        expect((await act(svceId, action, undefined, shop.apiKey)).body.code).to.equal('SESSION_REQUIRED')
      }
    })
  })
})
