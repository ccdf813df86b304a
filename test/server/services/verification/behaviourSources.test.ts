import { expect } from 'chai'
import { registerEndpoint } from '../../../builders/participants.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'
import { type Owner, type OwnerScene, openOwnerScene } from '../approvals/openOwnerScene.ts'

describe('the sources of an agent’s behaviour', () => {
  let scene: OwnerScene
  before(async () => {
    scene = await openOwnerScene()
  })
  after(() => scene?.service.stop())

  type Place = { counterpartyId: string; bearer: string }
  /** Opens an endpoint of an organisation of a person. */
  const openPlace = async (
    person: Owner,
    { organizationId, isProven = false }: { organizationId?: string | undefined; isProven?: boolean } = {},
  ): Promise<Place> => {
    const of = organizationId ?? (await person.organizationWith([]))
    const body = { name: 'key', organizationId: of }
    const bearer = (await person.call('POST', '/api/api-keys', { body })).body.key
    const counterpartyId = await registerEndpoint(scene.baseUrl, bearer)
    if (isProven) {
      await scene.store(`UPDATE endpoints SET tier = 'domain_verified' WHERE svce_id = ?`, counterpartyId)
    }
    return { counterpartyId, bearer }
  }
  const openPlaces = async (person: Owner, count: number, isProven = false) => {
    const places = []
    for (let nth = 0; nth < count; nth += 1) places.push(await openPlace(person, { isProven }))
    return places
  }
  /** An agent whose identity is on chain, so that nothing but behaviour moves its score. */
  const newAgent = async (owner: Owner, organizationId?: string) => {
    const agentId = await owner.agent({}, organizationId)
    await waitUntil(async () =>
      (await readAgent(owner, agentId)).blockchainStatus === 'verified' ? true : null,
    )
    return agentId
  }
  const readAgent = async (owner: Owner, agentId: string) =>
    (await owner.call('GET', `/api/agents/${agentId}`)).body.agent
  /** Sends a request that proves its agent, and returns the recommendation. */
  const report = async (agentId: string, { counterpartyId, bearer }: Place, resource: string) => {
    const asking = scene.asking(agentId, { counterpartyId, transactionValue: 5, resource })
    const body = await scene.prove(asking)
    return (await scene.call('POST', '/api/agents/verify-access', { bearer, body })).body.recommendation
  }
  const violate = (agentId: string, place: Place) => report(agentId, place, '/elsewhere')
  const behave = (agentId: string, place: Place) => report(agentId, place, '/orders/1')
  const repeat = async (times: number, places: readonly Place[], work: (place: Place) => Promise<string>) => {
    const made = new Set<string>()
    for (let nth = 0; nth < times; nth += 1) {
      for (const place of places) made.add(await work(place))
    }
    return [...made]
  }
  /** The score in decisions, counted in memory, and the owner’s view, counted by the projection from the log. */
  const scoresOf = (owner: Owner, agentId: string) =>
    waitUntil(async () => {
      // A request that proves nothing moves no score.
      const { body } = await scene.verifyUnproven(scene.asking(agentId, { transactionValue: 1 }))
      const inDecisions: number = body.agent.trustScore
      return (await readAgent(owner, agentId)).trustScore === inDecisions ? inDecisions : null
    })

  it('are people: sixteen organisations of one account lower a score by one point, or four with proven domains', async () => {
    const [ada, eve] = [await scene.owner(), await scene.owner()]
    const agentId = await newAgent(ada)
    const before = await scoresOf(ada, agentId)
    const places = await openPlaces(eve, 16)
    expect(await repeat(2, places, (place) => violate(agentId, place))).to.deep.equal(['deny'])
    expect(before - (await scoresOf(ada, agentId))).to.be.within(1, 2)
    const proven = await openPlaces(eve, 4, true)
    await repeat(2, proven, (place) => violate(agentId, place))
    expect(before - (await scoresOf(ada, agentId))).to.be.within(4, 5)
  })

  it('are not the owner’s own: no organisation of theirs lifts a score, nor one that they only administer', async () => {
    const [ada, bob] = [await scene.owner(), await scene.owner()]
    const joined = [
      await bob.organizationWith([[ada, 'admin']]),
      await bob.organizationWith([[ada, 'viewer']]),
    ]
    const [shared, other] = [
      await openPlace(bob, { organizationId: joined[0], isProven: true }),
      await openPlace(bob, { organizationId: joined[1], isProven: true }),
    ]
    const own = await openPlaces(ada, 2)
    const agentId = await newAgent(ada)
    const before = await scoresOf(ada, agentId)
    expect(await repeat(30, [...own, shared], (place) => behave(agentId, place))).to.deep.equal(['grant'])
    expect(await scoresOf(ada, agentId)).to.equal(before)
    await repeat(30, [other], (place) => behave(agentId, place))
    expect((await scoresOf(ada, agentId)) - before).to.be.within(4, 5)
  })

  it('of an organisation’s agent are not the organisations that its people control', async () => {
    const [ada, bob] = [await scene.owner(), await scene.owner()]
    const organizationId = await ada.organizationWith([[bob, 'admin']])
    const agentId = await newAgent(ada, organizationId)
    const places = [await openPlace(ada), await openPlace(bob, { isProven: true })]
    const before = await scoresOf(ada, agentId)
    await repeat(10, places, (place) => violate(agentId, place))
    expect(await scoresOf(ada, agentId)).to.equal(before)
  })

  it('count together for everybody who can administer them, and apart once they no longer can', async () => {
    const [ada, eve, friend] = [await scene.owner(), await scene.owner(), await scene.owner()]
    const organizationId = await friend.organizationWith([[eve, 'admin']])
    const shared = await openPlace(friend, { organizationId, isProven: true })
    const own = await openPlace(eve, { isProven: true })
    const agentId = await newAgent(ada)
    const before = await scoresOf(ada, agentId)
    await repeat(3, [own, shared], (place) => violate(agentId, place))
    expect(before - (await scoresOf(ada, agentId))).to.be.within(4, 5)
    await friend.call('DELETE', `/api/organizations/${organizationId}/members/${eve.userId}`)
    await repeat(3, [shared], (place) => violate(agentId, place))
    expect(before - (await scoresOf(ada, agentId))).to.be.within(6, 10)
  })

  it('are named in records only for the counts, and to no party', async () => {
    const [ada, eve] = [await scene.owner(), await scene.owner()]
    const agentId = await ada.agent()
    const place = await openPlace(eve)
    await violate(agentId, place)
    const rows = await scene.service.rows<{ event_data: string }>(
      `SELECT event_data FROM audit_records WHERE agent_id = ? AND event_type = 'verification.denied'`,
      agentId,
    )
    expect(rows.map((row) => JSON.parse(row.event_data).behaviourSource)).to.deep.equal([eve.userId])
    for (const party of [ada, eve]) {
      const { body } = await party.call('GET', '/api/activity?limit=20')
      expect(body.items.length).to.be.above(0)
      expect(JSON.stringify(body.items)).to.not.contain('behaviourSource')
    }
  })
})
