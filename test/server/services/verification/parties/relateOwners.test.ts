import { expect } from 'chai'
import { relateOwners } from '../../../../../server/services/verification/parties/relateOwners.ts'
import { registerEndpoint } from '../../../../builders/participants.ts'
import { waitUntil } from '../../../../harness/runner/waitUntil.ts'
import { type Owner, type OwnerScene, openOwnerScene } from '../../approvals/openOwnerScene.ts'

describe('relateOwners', () => {
  /** Developers `SVCD-<person>`, and organisations with their creator and current administrators. */
  const owners = {
    get(ownerId: string) {
      const [kind, name = ''] = ownerId.split('-')
      if (kind === 'SVCD') return { people: [name] as [string], administrators: new Set([name]) }
      const [creator = '', ...administrators] = name.split('+')
      const people: [string, ...string[]] = [creator, ...administrators.filter((one) => one !== creator)]
      return { people, administrators: new Set(administrators) }
    },
  }

  for (const [agent, endpoint, sharesOwner, sourceId] of [
    ['SVCD-ada', 'SVCD-ada', true, null],
    ['SVCD-ada', 'SVCD-bob', false, 'bob'],
    ['SVCD-ada', 'SVCO-bob+bob', false, 'bob'],
    ['SVCD-ada', 'SVCO-ada+ada', true, null],
    ['SVCO-ada+ada', 'SVCD-ada', true, null],
    ['SVCD-ada', 'SVCO-ada+ada+bob', true, null],
    // Anyone can make Ada an admin of theirs: no stranger, but another owner.
    ['SVCD-ada', 'SVCO-bob+bob+ada', false, null],
    ['SVCO-bob+bob+ada', 'SVCD-ada', false, null],
    // Created by Ada, who has left: still hers, but not internal.
    ['SVCD-ada', 'SVCO-ada+bob', false, null],
    // Two organisations of one person: not the same account, but no stranger either.
    ['SVCO-ada+ada', 'SVCO-ada+ada+bob', false, null],
    ['SVCO-eve+eve+ada', 'SVCO-bob+bob+ada', false, null],
    ['SVCO-ada+ada', 'SVCO-eve+eve+bob', false, 'bob eve'],
  ] as const) {
    it(`finds ${sharesOwner ? 'one owner' : 'two owners'} in ${agent} and ${endpoint}, and ${sourceId ?? 'no source'}`, () => {
      const relation = relateOwners(owners, agent, endpoint)
      expect(relation).to.deep.include({ sharesOwner, sourceId })
    })
  }

  it('names the creator as the counterparty, whoever administers the organisation', () => {
    expect(relateOwners(owners, 'SVCD-ada', 'SVCO-eve+bob')).to.deep.include({ counterpartyId: 'eve' })
  })
})

describe('agent and endpoint with the same owner', () => {
  let scene: OwnerScene
  let ada: Owner
  let bob: Owner
  let organizationId: string
  let bearer: string
  let counterpartyId: string

  before(async () => {
    scene = await openOwnerScene()
    ada = await scene.owner()
    bob = await scene.owner()
    organizationId = await ada.organizationWith([[bob, 'admin']])
    bearer = await keyOf(ada, organizationId)
    counterpartyId = await registerEndpoint(scene.baseUrl, bearer)
  })
  after(() => scene?.service.stop())

  const verify = async (agentId: string, key = bearer) =>
    (
      await scene.call('POST', '/api/agents/verify-access', {
        bearer: key,
        body: { ...scene.asking(agentId), counterpartyId, transactionValue: 5, resource: '/elsewhere' },
      })
    ).body
  const setRole = (role: string, of = bob, by = ada) =>
    by.call('PATCH', `/api/organizations/${organizationId}/members/${of.userId}`, { body: { role } })
  const keyOf = async (person: Owner, organization?: string): Promise<string> =>
    (
      await person.call('POST', '/api/api-keys', {
        body: { name: 'key', ...(organization === undefined ? {} : { organizationId: organization }) },
      })
    ).body.key

  const LIMITS = ['restrictions', 'appliedPolicy'] as const

  it('are internal if a person’s agent calls an organisation that the person created, whoever asks', async () => {
    const agentId = await ada.agent()
    const second = await keyOf(bob, organizationId)
    for (const by of [bearer, second]) {
      expect((await verify(agentId, by)).access).to.include({ allowed: true, accessLevel: 'internal' })
    }
    const { body } = await ada.call('GET', `/api/activity?agent=${agentId}`)
    const categories = body.items
      .filter(({ eventType }: { eventType: string }) => eventType === 'verification.completed')
      .map(({ callerCategory }: { callerCategory: string }) => callerCategory)
    expect(categories).to.deep.equal(['internally_governed', 'internally_governed'])
  })

  it('show limits and guidance only to keys of the agent’s owner, and to no other member’s', async () => {
    const agentId = await ada.agent()
    const second = await keyOf(bob, organizationId)
    const [own, other] = [await verify(agentId), await verify(agentId, second)]
    expect(own.access).to.include.all.keys(LIMITS)
    expect(own).to.have.property('tokenGuidance')
    expect(other.access).to.not.have.any.keys(LIMITS)
    expect(other).to.not.have.property('tokenGuidance')
    const ours = await ada.agent({}, organizationId)
    expect((await verify(ours, second)).access).to.include.all.keys(LIMITS)
  })

  it('are internal if an organisation’s agent calls an endpoint of its creator, but not of another admin', async () => {
    const agentId = await ada.agent({}, organizationId)
    for (const [person, isInternal] of [
      [ada, true],
      [bob, false],
    ] as const) {
      const counterpartyUrl = `https://${person.userId}.people.io/api`
      const { body } = await scene.call('POST', '/api/agents/verify-access', {
        bearer: await keyOf(person),
        body: { ...scene.asking(agentId), counterpartyId: undefined, counterpartyUrl, transactionValue: 5 },
      })
      expect(body.access.accessLevel === 'internal').to.equal(isInternal)
    }
  })

  for (const role of ['admin', 'owner']) {
    it(`are strangers if the person was made ${role} of somebody else’s organisation`, async () => {
      await setRole(role)
      const agentId = await bob.agent()
      for (const by of [bearer, await keyOf(bob, organizationId)]) {
        const { access } = await verify(agentId, by)
        expect(access.accessLevel).to.equal('none')
        expect(access.failures[0].dimension).to.equal('pdlss.scope')
      }
      expect((await verify(agentId)).access).to.not.have.any.keys(LIMITS)
      const evaluation = {
        subject: { type: 'agent', id: agentId },
        action: { name: 'shopping:buy' },
        resource: { type: 'endpoint', id: counterpartyId, properties: { resource: '/elsewhere' } },
      }
      const { body } = await scene.call('POST', '/access/v1/evaluation', { bearer, body: evaluation })
      expect([body.decision, body.context.failures[0].dimension]).to.deep.equal([false, 'pdlss.scope'])

      const dryRun = async (transactionValue: number, by = bearer) => {
        const body = { ...scene.asking(agentId), counterpartyId, dryRun: true, transactionValue }
        return scene.call('POST', '/api/agents/verify-access', { bearer: by, body })
      }
      const tried = []
      for (let amount = 300; amount < 306; amount++) tried.push(await dryRun(amount))
      expect(tried.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200, 200, 429])
      expect(tried[0]?.body.access.failures[0].dimension).to.equal('mandate')
      await waitUntil(async () => {
        const { items } = (await bob.call('GET', '/api/alerts?limit=100')).body
        const isWarned = items.some(
          (one: { code: string; data: { agentId?: string } }) =>
            one.code === 'limit_probing' && one.data.agentId === agentId,
        )
        return isWarned ? true : null
      })
      const own = await dryRun(5, await keyOf(bob, organizationId))
      expect(own.body.access).to.include({ allowed: true }).and.include.all.keys(LIMITS)
    })
  }

  it('are strangers once the creator only works there, from the next request on', async () => {
    const agentId = await ada.agent()
    const second = await keyOf(bob, organizationId)
    await setRole('owner')
    expect((await verify(agentId, second)).access.accessLevel).to.equal('internal')
    expect((await setRole('member', ada, bob)).status).to.equal(200)
    const { access } = await verify(agentId, second)
    expect(access.failures[0].dimension).to.equal('pdlss.scope')
    await setRole('owner', ada, bob)
    expect((await verify(agentId, second)).access.accessLevel).to.equal('internal')
  })
})
