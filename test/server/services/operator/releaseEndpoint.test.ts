import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { CONTACT, type OperatorScene, openOperatorScene, outcomeOf, REASON } from './openOperatorScene.ts'

describe('the release of a URL', () => {
  let scene: OperatorScene
  before(async () => {
    scene = await openOperatorScene()
  })
  after(() => scene?.service.stop())

  /** An endpoint on a host of its own, and its URL. */
  async function squat() {
    const owner = await scene.person()
    const host = `${randomUUID()}.acme.io`
    const counterpartyUrl = `https://${host}/api`
    const svceId = await scene.endpointOf(owner.apiKey, { counterpartyUrl })
    const read = async () =>
      (await scene.call('GET', `/api/endpoints/${svceId}`, { bearer: owner.accessToken })).body.endpoint
    return { owner, host, counterpartyUrl, svceId, read }
  }

  const register = async (counterpartyUrl: string) => {
    const { apiKey } = await scene.person()
    const body = { counterpartyType: 'api', name: 'Ours', counterpartyUrl, trustScoreRequirement: 0 }
    return scene.call('POST', '/api/endpoints', { bearer: apiKey, body })
  }

  it('lets others register it, and leaves the endpoint archived with its history', async () => {
    const { owner, counterpartyUrl, svceId, read } = await squat()
    const { auditRecordId } = (await scene.verify(owner.apiKey, { counterpartyId: svceId })).body
    expect(outcomeOf(await register(counterpartyUrl))).to.deep.equal([409, 'URL_ALREADY_CLAIMED'])
    const { id } = await read()
    const { status, body } = await scene.order(`endpoints/${svceId}/release`)
    expect([status, body]).to.deep.equal([200, { success: true, id, status: 'archived', othersOnHost: 0 }])
    expect((await read()).status).to.equal('archived')
    expect((await register(counterpartyUrl)).status).to.equal(201)
    const record = await scene.call('GET', `/api/audit/records/${auditRecordId}`, { bearer: owner.apiKey })
    expect(record.body.record.event.endpointId).to.equal(svceId)
  })

  it('denies its former owner’s requests there from the next one on', async () => {
    const { owner, counterpartyUrl, svceId } = await squat()
    const agentId = await scene.agentOf((await scene.person()).user.developerId)
    const ask = (where: object) => scene.decide(owner.apiKey, { agentId, ...where })
    expect(await ask({ counterpartyUrl })).to.deep.equal(['grant'])
    await scene.order(`endpoints/${svceId}/release`)
    for (const where of [{ counterpartyUrl }, { counterpartyId: svceId }]) {
      expect(await ask(where)).to.deep.equal(['deny', 'counterparty.status'])
    }
    expect((await register(counterpartyUrl)).status).to.equal(201)
    expect(await ask({ counterpartyUrl })).to.deep.equal([403, 'COUNTERPARTY_KEY_MISMATCH'])
  })

  it('says how many endpoints still hold the host for their owner', async () => {
    const { owner, host, svceId, counterpartyUrl } = await squat()
    const second = await scene.endpointOf(owner.apiKey, { counterpartyUrl: `https://${host}/other` })
    expect((await scene.order(`endpoints/${svceId}/release`)).body.othersOnHost).to.equal(1)
    expect(outcomeOf(await register(counterpartyUrl))).to.deep.equal([409, 'URL_ALREADY_CLAIMED'])
    expect((await scene.order(`endpoints/${second}/release`)).body.othersOnHost).to.equal(0)
    expect((await register(counterpartyUrl)).status).to.equal(201)
  })

  it('is told to the owner by e-mail, alert and event, with the reason, also if the owner is suspended', async () => {
    const { owner, svceId, counterpartyUrl, read } = await squat()
    const { id } = await read()
    await scene.order(`organizations/${owner.organizationId}/suspend`)
    await scene.order(`endpoints/${svceId}/release`)
    const mail = await scene.mailTo(owner.user.email, 'Your endpoint was archived by an operator')
    expect(mail).to.contain(REASON).and.contain(CONTACT).and.contain(counterpartyUrl)
    const bearer = owner.accessToken
    const { items } = (await scene.call('GET', '/api/alerts', { bearer })).body
    expect(items[0]).to.deep.include({
      code: 'endpoint.released',
      data: { endpointId: id, svceId, url: counterpartyUrl, reason: REASON },
    })
    const event = await scene.seenIn(bearer, 'endpoint.released')
    expect(event.eventData).to.include({ decidedBy: scene.operator.user.developerId, counterpartyUrl })
    const records = await scene.records('endpoint.released', 'counterparty_owner_id', owner.organizationId)
    expect(records).to.have.length(1)
    expect(JSON.stringify(records)).not.to.contain(REASON)
  })

  describe('is refused', () => {
    it('for an endpoint of the operator', async () => {
      const { owner, svceId } = await squat()
      await scene.rows(
        `INSERT INTO memberships (organization_id, user_id, role, status, created_at) VALUES (?, ?, 'viewer', 'active', 1)`,
        ...[owner.organizationId, scene.operator.user.id],
      )
      // Makes an embedded service forget the memberships that it has cached.
      await scene.order(`accounts/${(await scene.person()).user.developerId}/suspend`)
      expect(outcomeOf(await scene.order(`endpoints/${svceId}/release`))).to.deep.equal([403, 'FORBIDDEN'])
    })

    it('for an archived endpoint, once or at the same time', async () => {
      const { svceId } = await squat()
      const both = await Promise.all([1, 2].map(() => scene.order(`endpoints/${svceId}/release`)))
      expect(both.map(({ status }) => status).sort()).to.deep.equal([200, 409])
      expect(outcomeOf(await scene.order(`endpoints/${svceId}/release`))).to.deep.equal([
        409,
        'INVALID_STATE',
      ])
    })

    it('for a URL that nobody has claimed, and for an endpoint that does not exist', async () => {
      const { apiKey, accessToken } = await scene.person()
      const counterpartyUrl = `https://${randomUUID()}.acme.io/`
      await scene.verify(apiKey, { counterpartyUrl })
      const found = await scene.call('GET', '/api/endpoints?include=discovered', { bearer: accessToken })
      const [discovered] = found.body.items
      expect(discovered.svceId).to.equal(null)
      for (const id of [discovered.id, 'SVCE-0000000000000000000000', 'nothing']) {
        expect(outcomeOf(await scene.order(`endpoints/${id}/release`))).to.deep.equal([404, 'NOT_FOUND'])
      }
    })

    it('without a reason', async () => {
      const { svceId, read } = await squat()
      expect(outcomeOf(await scene.order(`endpoints/${svceId}/release`, {}))).to.deep.equal([
        400,
        'VALIDATION_ERROR',
      ])
      expect((await read()).status).to.equal('active')
    })
  })
})
