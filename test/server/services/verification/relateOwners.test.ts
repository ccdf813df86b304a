import { expect } from 'chai'
import { relateOwners } from '../../../../server/services/verification/relateOwners.ts'
import { registerEndpoint } from '../../../builders/participants.ts'
import { type Owner, type OwnerScene, openOwnerScene } from '../approvals/openOwnerScene.ts'

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
    ['SVCD-ada', 'SVCO-bob+bob+ada', true, null],
    ['SVCO-bob+bob+ada', 'SVCD-ada', true, null],
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
    const body = { name: 'key', organizationId }
    bearer = (await ada.call('POST', '/api/api-keys', { body })).body.key
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
  const setRole = (role: string) =>
    ada.call('PATCH', `/api/organizations/${organizationId}/members/${bob.userId}`, { body: { role } })

  it('are internal if a person’s agent calls an organisation that the person administers, whoever asks', async () => {
    const agents = [await ada.agent(), await bob.agent()]
    const key = { name: 'of Bob', organizationId }
    const second = (await bob.call('POST', '/api/api-keys', { body: key })).body.key
    for (const agentId of agents) {
      for (const by of [bearer, second]) {
        const { access } = await verify(agentId, by)
        expect(access)
          .to.include({ allowed: true, accessLevel: 'internal' })
          .and.have.property('restrictions')
      }
    }
    const { body } = await bob.call('GET', '/api/activity?limit=100')
    const categories = body.items
      .filter(({ eventType }: { eventType: string }) => eventType === 'verification.completed')
      .map(({ callerCategory }: { callerCategory: string }) => callerCategory)
    expect(new Set(categories)).to.deep.equal(new Set(['internally_governed']))
  })

  it('are internal if an organisation’s agent calls an endpoint of its administrator', async () => {
    const agentId = await ada.agent({}, organizationId)
    const personal = (await bob.call('POST', '/api/api-keys', { body: { name: 'personal' } })).body.key
    const counterpartyUrl = `https://${bob.userId}.people.io/api`
    const { body } = await scene.call('POST', '/api/agents/verify-access', {
      bearer: personal,
      body: { ...scene.asking(agentId), counterpartyId: undefined, counterpartyUrl, transactionValue: 5 },
    })
    expect(body.access.accessLevel).to.equal('internal')
  })

  it('are strangers once the person only works there, from the next request on', async () => {
    const agentId = await bob.agent()
    expect((await verify(agentId)).access.accessLevel).to.equal('internal')
    expect((await setRole('member')).status).to.equal(200)
    const { access } = await verify(agentId)
    expect(access.failures[0].dimension).to.equal('pdlss.scope')
    await setRole('admin')
    expect((await verify(agentId)).access.accessLevel).to.equal('internal')
  })
})
