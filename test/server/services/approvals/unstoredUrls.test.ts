import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { createOrganisation, type Organisation } from '../../../builders/participants.ts'
import { type Approvals, openApprovals } from './openApprovals.ts'

/** How many requests of each organisation race for the approvals. */
const RACERS = 12
/** The rules of a new agent. */
const RULES = [{ dimension: 'spend', match: {} }]

describe('an approval of a request at a URL that is not stored', () => {
  let scene: Approvals
  /** An organisation that has nothing to do with the shop. */
  let stranger: Organisation

  before(async () => {
    scene = await openApprovals()
    stranger = await createOrganisation(scene.baseUrl)
  })
  after(() => scene?.service.stop())

  /** A second organisation of a person, for which a host is not stored that the first one has discovered. */
  const openSecond = async (first: Organisation): Promise<Organisation> => {
    const { accessToken: bearer } = first
    const { organizationId } = (
      await scene.call('POST', '/api/organizations', { bearer, body: { name: 'Second' } })
    ).body
    const body = { name: 'key', organizationId }
    const { key: apiKey } = (await scene.call('POST', '/api/api-keys', { bearer, body })).body
    return { ...first, organizationId, apiKey }
  }
  const ways: Record<string, () => Promise<{ url: string; one: Organisation; other: Organisation }>> = {
    'because its host is not public': async () => ({
      url: `http://${randomUUID()}.internal/api`,
      one: scene.shop,
      other: stranger,
    }),
    'because each person has discovered its host for another organisation': async () => {
      const url = `https://${randomUUID()}.acme.io/api`
      const [one, other] = [await openSecond(scene.shop), await openSecond(stranger)]
      for (const first of [scene.shop, stranger]) await scene.verify(asking(url), first)
      expect(await scene.store('SELECT id FROM endpoints WHERE url = ?', url)).to.have.length(2)
      return { url, one, other }
    },
    'to two organisations of one person': async () => {
      const url = `http://${randomUUID()}.internal/api`
      return { url, one: scene.shop, other: await openSecond(scene.shop) }
    },
  }

  const asking = (counterpartyUrl: string, fields: object = {}) => ({
    ...{ agentId: scene.agentId, counterpartyUrl, purpose: 'shopping:buy', resource: '/orders/1' },
    ...{ jurisdiction: 'de', transactionValue: 150, currency: 'USD', attemptId: randomUUID() },
    ...fields,
  })
  const ask = async (request: object, by: Organisation) => {
    const { status, body } = await scene.verify(request, by)
    expect(status, JSON.stringify(body)).to.equal(200)
    return {
      recommendation: body.recommendation as string,
      approvalId: body.stepUpApproval?.approvalId as string,
    }
  }
  const setRules = async (rules: readonly object[]) => {
    const headers = { 'x-svc-elevation': await scene.ada.elevation() }
    const path = `/api/agents/${scene.agentId}/approval-rules`
    expect((await scene.ada.call('PUT', path, { headers, body: { rules } })).status).to.equal(200)
  }
  const hold = async (request: object, by: Organisation): Promise<string> => {
    const { recommendation, approvalId } = await ask(request, by)
    expect(recommendation).to.equal('step_up_required')
    return approvalId
  }

  for (const [why, open] of Object.entries(ways))
    it(`${why} is for the organisation that asked`, async () => {
      const { url, one, other } = await open()
      const request = asking(url)
      const [first, second] = [await hold(request, one), await hold(request, other)]
      expect(second).to.not.equal(first)
      expect(await hold(request, one)).to.equal(first)
      await scene.ada.approve(first)
      expect(await hold(request, other)).to.equal(second)
      expect((await ask(request, one)).recommendation).to.equal('grant')
      expect(await scene.statusOf(second)).to.equal('pending')
      await scene.ada.approve(second)
      expect((await ask(request, other)).recommendation).to.equal('grant')
    })

  it('can be used with any key of the organisation that asked', async () => {
    const request = asking(`http://${randomUUID()}.internal/api`)
    const approvalId = await hold(request, scene.shop)
    // As the former release has stored it, too.
    const columns = 'endpoint_id, counterparty_owner_id'
    expect(
      await scene.store(`SELECT ${columns} FROM step_up_approvals WHERE id = ?`, approvalId),
    ).to.deep.equal([{ endpoint_id: null, counterparty_owner_id: scene.shop.organizationId }])
    const colleague = { ...scene.shop, apiKey: scene.secondKey }
    expect(await hold(request, colleague)).to.equal(approvalId)
    await scene.ada.approve(approvalId)
    expect((await ask(request, colleague)).recommendation).to.equal('grant')
    expect(await scene.statusOf(approvalId)).to.equal('consumed')
  })

  it('is neither refused nor replaced because a stranger has used its attempt', async () => {
    const request = asking(`http://${randomUUID()}.internal/api`)
    const other = { ...request, transactionValue: 151 }
    const [theirs, approvalId] = [await hold(other, stranger), await hold(request, scene.shop)]
    await setRules([...RULES, { dimension: 'purpose', match: { categories: ['shopping'] } }])
    expect(await hold(other, stranger)).to.not.equal(theirs)
    const statuses = [await scene.statusOf(theirs), await scene.statusOf(approvalId)]
    expect(statuses).to.deep.equal(['expired', 'pending'])
    await setRules(RULES)
    await scene.ada.approve(approvalId)
    expect((await ask(request, scene.shop)).recommendation).to.equal('grant')
  })

  it('is used once by the organisation that asked, while both send the request at once', async () => {
    const request = asking(`http://${randomUUID()}.internal/api`)
    const [first, second] = [await hold(request, scene.shop), await hold(request, stranger)]
    await scene.ada.approve(first)
    const answers = await Promise.all(
      Array.from({ length: 2 * RACERS }, async (_, nth) => {
        const by = nth % 2 === 0 ? scene.shop : stranger
        const { recommendation, approvalId } = await ask(request, by)
        return { isShop: by === scene.shop, recommendation, approvalId }
      }),
    )
    const granted = answers.filter(({ recommendation }) => recommendation === 'grant')
    expect(granted.map(({ isShop }) => isShop)).to.deep.equal([true])
    const held = answers.filter(({ isShop }) => !isShop)
    expect(new Set(held.map(({ approvalId }) => approvalId))).to.deep.equal(new Set([second]))
  })
})
