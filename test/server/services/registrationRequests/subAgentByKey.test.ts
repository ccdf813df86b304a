import { expect } from 'chai'
import { type Developer, openRequests, REQUESTS, type Requests } from './openRequests.ts'

const ASKING = { selfInstantiation: { allowed: true, requireApproval: true, maxSubAgents: 1 } }

describe('a sub-agent registered by API key', () => {
  let scene: Requests
  let ada: Developer

  before(async () => {
    scene = await openRequests()
    ada = await scene.developer()
  })
  after(() => scene?.service.stop())

  const outcome = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code]
  const approve = async (requestId: string) =>
    ada.call('POST', `${REQUESTS}/${requestId}/approve`, { body: await ada.signed(requestId) })
  const view = async (id: string) => (await ada.call('GET', `/api/agents/${id}`)).body.agent

  it('is created below its parent once the owner approves with a passkey, also if the parent requires that', async () => {
    const parent = await ada.agent({ pdlss: ASKING })
    const approved = await approve(await ada.asks({ name: 'Child', parentAgentId: parent }))
    expect(approved.status, JSON.stringify(approved.body)).to.equal(200)
    const { agentId } = approved.body.request
    expect((await view(agentId)).parents.map(({ svcId }: { svcId: string }) => svcId)).to.deep.equal([parent])
    expect((await view(parent)).subAgentCount).to.equal(1)
  })

  it('is refused when it is requested, and again when it is approved', async () => {
    const parent = await ada.agent({ pdlss: ASKING })
    const [first, second] = [
      await ada.asks({ name: 'One', parentAgentId: parent }),
      await ada.asks({ name: 'Two', parentAgentId: parent }),
    ]
    expect((await approve(first)).status).to.equal(200)
    expect(outcome(await approve(second))).to.deep.equal([403, 'SUB_AGENT_REFUSED'])
    const third = await ada.register({ name: 'Three', parentAgentId: parent })
    expect(outcome(third)).to.deep.equal([403, 'SUB_AGENT_REFUSED'])
    expect((await view(parent)).subAgentCount).to.equal(1)
  })

  it('is refused if its parent was retired in the meantime, and below another account’s agent', async () => {
    const parent = await ada.agent({ pdlss: ASKING })
    const requestId = await ada.asks({ name: 'Child', parentAgentId: parent })
    await ada.call('POST', `/api/agents/${parent}/retire`)
    expect(outcome(await approve(requestId))).to.deep.equal([409, 'INVALID_STATE'])
    const foreign = await (await scene.owner()).agent({ pdlss: ASKING })
    expect(outcome(await ada.register({ name: 'Child', parentAgentId: foreign }))).to.deep.equal([
      400,
      'VALIDATION_ERROR',
    ])
  })
})
