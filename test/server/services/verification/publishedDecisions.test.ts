import { expect } from 'chai'
import { registerEndpoint } from '../../../builders/participants.ts'
import { type Owner, type OwnerScene, openOwnerScene } from '../approvals/openOwnerScene.ts'

const DAY_MS = 86_400_000

describe('a decision is ordered as feedback', () => {
  let scene: OwnerScene
  let ada: Owner
  before(async () => {
    scene = await openOwnerScene({ PUBLISH_FEEDBACK: 'true' })
    ada = await scene.owner()
  })
  after(() => scene?.service.stop())

  type Place = { counterpartyId: string; bearer: string }
  /** Opens an endpoint of an organisation of a person, with the organisation's key. */
  const openPlace = async (person: Owner, organizationId?: string): Promise<Place> => {
    const body = { name: 'key', organizationId: organizationId ?? (await person.organizationWith([])) }
    const bearer = (await person.call('POST', '/api/api-keys', { body })).body.key
    return { counterpartyId: await registerEndpoint(scene.baseUrl, bearer), bearer }
  }
  /** Has a request verified and decides about it; `decisions` are sent one after the other. */
  const decide = async (
    agentId: string,
    { counterpartyId, bearer }: Place,
    decisions: readonly string[],
    { isProven = true } = {},
  ) => {
    const asking = scene.asking(agentId, { counterpartyId, transactionValue: 5 })
    const body = isProven ? await scene.prove(asking) : asking
    const verified = (await scene.call('POST', '/api/agents/verify-access', { bearer, body })).body
    expect(verified.identityProof).to.equal(isProven ? 'token' : 'none')
    for (const decision of decisions) {
      const path = `/api/agents/verify-access/${verified.sessionId}/decision`
      expect((await scene.call('POST', path, { bearer, body: { decision } })).status).to.equal(200)
    }
  }
  const ordered = async (agentId: string) => {
    const rows = await scene.service.rows<{ payload: string }>(
      `SELECT payload FROM relayer_intents WHERE kind = 'reputation.feedback' AND payload LIKE ? ORDER BY id`,
      `%${agentId}%`,
    )
    return rows.map(({ payload }) => JSON.parse(payload))
  }
  const decisionsAbout = async (agentId: string) => (await ordered(agentId)).map(({ tag2 }) => tag2)

  it('once, without an address of anything', async () => {
    const [agentId, place] = [await ada.agent(), await openPlace(await scene.owner())]
    await decide(agentId, place, ['granted', 'granted'])
    const [feedback, ...others] = await ordered(agentId)
    expect(others).to.deep.equal([])
    expect(feedback).to.include({ svcId: agentId, value: 1, tag2: 'granted', feedbackURI: '' })
    expect(feedback.feedbackHash).to.match(/^0x[0-9a-f]{64}$/)
  })

  it('only if the request proves the agent, because anybody can name it', async () => {
    const [agentId, place] = [await ada.agent(), await openPlace(await scene.owner())]
    await decide(agentId, place, ['denied'], { isProven: false })
    expect(await ordered(agentId)).to.deep.equal([])
    await decide(agentId, place, ['denied'])
    expect(await decisionsAbout(agentId)).to.deep.equal(['denied'])
  })

  it('only if nobody is behind both the agent and the endpoint', async () => {
    const bob = await scene.owner()
    const administered = await bob.organizationWith([[ada, 'admin']])
    const places = [await openPlace(ada), await openPlace(bob, administered)]
    const agentId = await ada.agent()
    for (const place of places) await decide(agentId, place, ['granted'])
    expect(await ordered(agentId)).to.deep.equal([])
    await decide(agentId, await openPlace(bob), ['granted'])
    expect(await decisionsAbout(agentId)).to.deep.equal(['granted'])
  })

  it('once in 30 days for each person, agent and answer, however many organisations the person has', async () => {
    const [eve, joe] = [await scene.owner(), await scene.owner()]
    const [agentId, another] = [await ada.agent(), await ada.agent()]
    const places = [await openPlace(eve), await openPlace(eve)]
    for (const place of places) {
      await decide(agentId, place, ['denied'])
      await decide(agentId, place, ['granted'])
    }
    expect(await decisionsAbout(agentId)).to.deep.equal(['denied', 'granted'])
    await decide(agentId, await openPlace(joe), ['granted'])
    expect(await decisionsAbout(agentId)).to.deep.equal(['denied', 'granted', 'granted'])
    await decide(another, places[0] as Place, ['denied'])
    expect(await decisionsAbout(another)).to.deep.equal(['denied'])
    scene.time.now += 30 * DAY_MS
    await decide(agentId, places[0] as Place, ['denied'])
    expect(await decisionsAbout(agentId)).to.deep.equal(['denied', 'granted', 'granted', 'denied'])
  })

  it('again within 30 days if what was ordered has failed', async () => {
    const [agentId, place] = [await ada.agent(), await openPlace(await scene.owner())]
    await decide(agentId, place, ['granted'])
    const [failed] = await ordered(agentId)
    await scene.store(
      `UPDATE relayer_intents SET status = 'failed', settled_at = 1 WHERE payload LIKE ?
       AND kind = 'reputation.feedback'`,
      `%${agentId}%`,
    )
    await decide(agentId, place, ['granted'])
    const [again, ...others] = await ordered(agentId)
    expect(others).to.deep.equal([])
    expect(again.feedbackHash).to.not.equal(failed.feedbackHash)
  })

  it('at the expense of whoever decides, of strangers while their identity is not verified, and of their network', async () => {
    const [eve, bob] = [await scene.owner(), await scene.owner()]
    await scene.store('UPDATE users SET kyd_verified_at = 1 WHERE id = ?', bob.userId)
    const agentId = await ada.agent()
    for (const person of [eve, bob]) await decide(agentId, await openPlace(person), ['granted'])
    const rows = await scene.service.rows<object>(
      `SELECT account_id, stranger_id, network FROM relayer_intents
       WHERE kind = 'reputation.feedback' AND payload LIKE ? ORDER BY id`,
      `%${agentId}%`,
    )
    const network = '127.0.0.0/24'
    expect(rows.map((row) => ({ ...row }))).to.deep.equal([
      { account_id: eve.userId, stranger_id: eve.userId, network },
      { account_id: bob.userId, stranger_id: null, network },
    ])
  })
})
