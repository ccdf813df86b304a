import { expect } from 'chai'
import { agent, endpoint, type Organisation, organisation } from '../../builders/world.ts'
import { api } from '../../harness/api.ts'
import { listen } from '../../harness/listen.ts'
import { type StartedService, startService } from '../../harness/startService.ts'

describe('verify-access of what is changed meanwhile', () => {
  let service: StartedService
  let shop: Organisation
  let whileAsked: () => Promise<unknown>
  let agentServer: Awaited<ReturnType<typeof listen>>

  before(async () => {
    service = await startService()
    shop = await organisation(service.baseUrl)
    agentServer = await listen(async (req, res) => {
      const { challengeId, counterpartyId } = JSON.parse(Buffer.concat(await req.toArray()).toString())
      await whileAsked()
      res.writeHead(200, { 'content-type': 'application/json' })
      const respondedAt = new Date().toISOString()
      res.end(
        JSON.stringify({
          ...{ challengeId, acknowledged: true, pendingCounterparties: [counterpartyId], respondedAt },
        }),
      )
    })
  })
  after(async () => {
    await agentServer.stop()
    await service?.stop()
  })

  const verify = async (body: object) =>
    (await api(service.baseUrl, 'POST', '/api/agents/verify-access', { bearer: shop.apiKey, body })).body
  const demand = async (svceId: string, trustScoreRequirement: number) => {
    const body = { trustScoreRequirement }
    const changed = await api(service.baseUrl, 'PUT', `/api/endpoints/${svceId}`, {
      bearer: shop.apiKey,
      body,
    })
    expect(changed.status).to.equal(200)
    return changed.body.endpoint.id as string
  }

  it('decides by the endpoint as it is when the agent has answered its challenge', async () => {
    const counterpartyId = await endpoint(service.baseUrl, shop.apiKey)
    const { svcId: agentId } = await agent(service.baseUrl, { apiEndpoint: agentServer.url })
    whileAsked = async () => undefined
    const ask = { agentId, counterpartyId, enableRuntimeChallenge: true }
    expect((await verify(ask)).recommendation).to.equal('grant')
    whileAsked = () => demand(counterpartyId, 100)
    const { recommendation, access } = await verify(ask)
    expect(recommendation).to.equal('deny')
    expect(access.failures.map(({ dimension }: { dimension: string }) => dimension)).to.include('trust.score')
  })

  it('decides by the agent as it is when it has answered its challenge', async () => {
    const counterpartyId = await endpoint(service.baseUrl, shop.apiKey)
    const { svcId: agentId } = await agent(service.baseUrl, { apiEndpoint: agentServer.url })
    whileAsked = () =>
      service.rows('UPDATE agents SET status = ? WHERE svc_id = ? RETURNING id', 'suspended', agentId)
    const { recommendation, agent: shown } = await verify({ agentId, counterpartyId })
    expect([recommendation, shown.agentStatus]).to.deep.equal(['deny', 'suspended'])
  })

  it('knows an endpoint by its UUID in capitals, and forgets that one, too, when it is changed', async () => {
    const svceId = await endpoint(service.baseUrl, shop.apiKey)
    const { svcId: agentId } = await agent(service.baseUrl)
    const counterpartyId = (await demand(svceId, 0)).toUpperCase()
    expect((await verify({ agentId, counterpartyId })).recommendation).to.equal('grant')
    await demand(svceId, 100)
    expect((await verify({ agentId, counterpartyId })).recommendation).to.equal('deny')
  })
})
