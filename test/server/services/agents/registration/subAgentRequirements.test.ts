import { expect } from 'chai'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Owner } from '../../approvals/openOwnerScene.ts'
import { type KeyScene, openKeyScene } from '../keys/openKeyScene.ts'

const PDLSS = { selfInstantiation: { allowed: true, inheritPermissions: true } }
const FACTS = ['purpose', 'resource', 'jurisdiction', 'currency']
const UNSTATED = { purpose: undefined, resource: undefined, jurisdiction: undefined, currency: undefined }

describe('what the ancestors of a sub-agent require of requests', () => {
  let scene: KeyScene
  let ada: Owner
  let wallet: PrivateKeyAccount
  let root: string
  let parent: string
  let child: string

  before(async () => {
    scene = await openKeyScene()
    ada = await scene.owner()
    wallet = await scene.wallet(ada)
  })
  beforeEach(async () => {
    root = await register()
    parent = await register(root)
    child = await register(parent)
    for (const id of [root, parent, child]) expect(await scene.failures(id)).to.deep.equal([])
  })
  after(() => scene?.service.stop())

  async function register(parentAgentId?: string): Promise<string> {
    const fields = parentAgentId === undefined ? { pdlss: PDLSS } : { parentAgentId }
    const answer = await scene.signed(wallet, 'POST', '/api/agents/register', { name: 'Buyer', ...fields })
    expect(answer.status, JSON.stringify(answer.body)).to.equal(201)
    return answer.body.data.agent.svcId
  }
  async function set(id: string, body: object) {
    const headers = await scene.elevated(ada)
    const answer = await ada.call('PUT', `/api/agents/${id}/settings`, { body, headers })
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200)
    return answer.body
  }
  const settings = async (id: string) => (await ada.call('GET', `/api/agents/${id}/settings`)).body
  /** Sends a request that only names the agent and states nothing. */
  const ask = async (agentId: string, fields: object = UNSTATED) => {
    const { body } = await scene.verifyUnproven(scene.asking(agentId, { transactionValue: 1, ...fields }))
    const failures: { dimension: string }[] = body.access.failures ?? []
    return { ...body, dimensions: failures.map(({ dimension }) => dimension) }
  }
  const tryOut = async (agentId: string) => (await ask(agentId, { dryRun: true })).recommendation

  it('applies to a sub-agent that was registered before or after', async () => {
    await set(parent, { minIdentityProof: 'signature', requiredFacts: FACTS })
    const expected = (await ask(parent)).dimensions
    expect(expected).to.have.members(['agent.proof', 'pdlss.purpose', 'pdlss.scope', 'pdlss.limits'])
    for (const id of [child, await register(parent)]) {
      expect((await ask(id)).dimensions).to.deep.equal(expected)
      expect(await tryOut(id)).to.equal('deny')
    }
    expect((await ask(root)).recommendation).to.equal('grant')
  })

  it('applies from the response to each later change of any ancestor, whoever was asked about in between', async () => {
    for (const id of [root, parent]) {
      await set(id, { minIdentityProof: 'token' })
      expect(await scene.failures(child)).to.deep.equal(['agent.proof'])
      await set(id, { minIdentityProof: 'none' })
      expect(await scene.failures(child)).to.deep.equal([])
    }
  })

  it('includes the signature that an ancestor with a key needs by default, also once the key is revoked', async () => {
    const kid = await scene.added(ada, root)
    expect(await scene.failures(child)).to.deep.equal(['agent.proof'])
    await scene.revoke(ada, root, kid)
    expect(await scene.failures(child)).to.deep.equal(['agent.proof'])
    await set(root, { minIdentityProof: 'none' })
    expect(await scene.failures(child)).to.deep.equal([])
  })

  it('is added to what the sub-agent requires itself: the stricter proof, and the facts of all', async () => {
    await set(root, { minIdentityProof: 'token', requiredFacts: ['purpose'] })
    await set(parent, { minIdentityProof: 'challenge', requiredFacts: ['purpose', 'resource'] })
    await set(child, { minIdentityProof: 'none', requiredFacts: ['currency'] })
    expect((await ask(child)).dimensions).to.have.members([
      ...['agent.proof', 'pdlss.purpose', 'pdlss.scope', 'pdlss.limits'],
    ])
    expect(await scene.failures(child)).to.deep.equal(['agent.proof'])
    await set(child, { minIdentityProof: 'signature' })
    expect((await settings(child)).effectiveMinIdentityProof).to.equal('signature')
  })

  it('is in the settings of the sub-agent beside its own, and leaves their entity tag as it is', async () => {
    const read = () => ada.call('GET', `/api/agents/${child}/settings`)
    const before = await read()
    const nothing = { minIdentityProof: 'none', requiredFacts: [] }
    expect(before.body).to.deep.include({ effectiveRequiredFacts: [], inherited: nothing })
    await set(root, { minIdentityProof: 'token', requiredFacts: ['purpose'] })
    await set(parent, { requiredFacts: ['resource'] })
    await set(child, { requiredFacts: ['currency'] })
    const { success: _, ...seen } = await settings(child)
    expect(seen.inherited.requiredFacts).to.have.members(['purpose', 'resource'])
    expect(seen.effectiveRequiredFacts).to.have.members(['purpose', 'resource', 'currency'])
    expect(seen).to.deep.include({
      ...{ minIdentityProof: null, effectiveMinIdentityProof: 'token', requiredFacts: ['currency'] },
    })
    expect(seen.inherited.minIdentityProof).to.equal('token')
    expect(await set(child, { requiredFacts: [] })).to.deep.include({ effectiveMinIdentityProof: 'token' })
    expect((await read()).headers.get('etag')).to.equal(before.headers.get('etag'))
    expect((await settings(root)).inherited).to.deep.equal(nothing)
  })

  it('is replayed as it was, whatever an ancestor requires by then', async () => {
    await set(root, { minIdentityProof: 'signature', requiredFacts: FACTS })
    const denied = await ask(child)
    await set(root, { minIdentityProof: 'none', requiredFacts: [] })
    const granted = await ask(child)
    await set(root, { minIdentityProof: 'signature', requiredFacts: FACTS })
    for (const [{ auditRecordId }, recommendation] of [
      [denied, 'deny'],
      [granted, 'grant'],
    ] as const) {
      const { body } = await ada.call('POST', `/api/audit/records/${auditRecordId}/replay`)
      expect([body.reproduced, body.replayed?.recommendation]).to.deep.equal([true, recommendation])
    }
  })
})
