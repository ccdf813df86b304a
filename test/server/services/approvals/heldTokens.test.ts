import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import {
  createOrganisation,
  registerAgent,
  registerEndpoint,
  signHeaders,
} from '../../../builders/participants.ts'
import { MINUTE_MS, type Owner, type OwnerScene, openOwnerScene, PDLSS } from './openOwnerScene.ts'

type Held = ReturnType<OwnerScene['asking']> & { agentToken: string; attemptId: string }

describe('a request that was held with an agent token', () => {
  let scene: OwnerScene
  let ada: Owner
  let agentId: string
  const account = privateKeyToAccount(generatePrivateKey())
  before(async () => {
    scene = await openOwnerScene()
    ada = await scene.owner()
    const timestamp = Math.floor(scene.time.now / 1000)
    const registered = await registerAgent(scene.baseUrl, { pdlss: PDLSS }, { account, timestamp })
    agentId = registered.svcId
    await scene.store('UPDATE agents SET owner_id = ? WHERE svc_id = ?', ada.developerId, agentId)
  })
  after(() => scene?.service.stop())

  const obtainToken = async (audience = scene.svceId): Promise<string> => {
    const path = `/api/agents/${agentId}/token`
    const body = { audience }
    const timestamp = Math.floor(scene.time.now / 1000)
    const signing = { method: 'POST', path, body: JSON.stringify(body), timestamp }
    return (await scene.call('POST', path, { body, headers: await signHeaders(account, signing) })).body
      .agentToken
  }
  const decide = async (request: object) => {
    const { recommendation, access, stepUpApproval } = (await scene.verifyUnproven(request)).body
    const [failure] = access.failures ?? []
    const found = [recommendation, ...(failure ? [failure.dimension, failure.cause ?? null] : [])]
    return { found, approvalId: stepUpApproval?.approvalId as string }
  }
  /** Holds a request with a fresh token. */
  const hold = async (fields: object = {}): Promise<{ request: Held; approvalId: string }> => {
    const agentToken = await obtainToken()
    const request = { ...scene.asking(agentId, fields), agentToken, attemptId: randomUUID() } as Held
    const { found, approvalId } = await decide(request)
    expect(found[0]).to.equal('step_up_required')
    return { request, approvalId }
  }
  const wait = (minutes: number) => {
    scene.time.now += minutes * MINUTE_MS
  }
  const approve = async (approvalId: string) => expect((await ada.approve(approvalId)).status).to.equal(200)
  const EXPIRED = ['deny', 'agent.proof', 'expired']

  it('is granted with it once, when the owner approves after the token has expired', async () => {
    const { request, approvalId } = await hold()
    wait(20)
    expect((await decide(request)).found[0]).to.equal('step_up_required')
    await approve(approvalId)
    expect((await decide(request)).found).to.deep.equal(['grant'])
    expect((await decide(request)).found).to.deep.equal(EXPIRED)
  })

  it('is granted with it, if the service has named the attempt', async () => {
    const request = { ...scene.asking(agentId), agentToken: await obtainToken() }
    const { stepUpApproval } = (await scene.verifyUnproven(request)).body
    wait(20)
    await approve(stepUpApproval.approvalId)
    const { attemptId } = stepUpApproval
    expect((await decide({ ...request, attemptId })).found).to.deep.equal(['grant'])
  })

  it('is granted with no other token that has expired, and that one proves no other attempt', async () => {
    const other = await obtainToken()
    const [first, second] = [await hold(), await hold()]
    wait(20)
    await approve(first.approvalId)
    await approve(second.approvalId)
    for (const agentToken of [other, second.request.agentToken]) {
      expect((await decide({ ...first.request, agentToken })).found).to.deep.equal(EXPIRED)
    }
    const { attemptId: _, ...unnamed } = first.request
    for (const attempt of [{}, { attemptId: randomUUID() }]) {
      expect((await decide({ ...unnamed, ...attempt })).found).to.deep.equal(EXPIRED)
    }
    const elsewhere = await registerEndpoint(scene.baseUrl, scene.shop.apiKey)
    const moved = await decide({ ...first.request, counterpartyId: elsewhere })
    expect(moved.found[0]).to.equal('deny')
    expect((await decide(first.request)).found).to.deep.equal(['grant'])
  })

  it('is granted with it at a URL that is not stored, also if a stranger has copied the request there', async () => {
    const url = `https://${randomUUID()}.internal`
    const request = {
      ...scene.asking(agentId, { counterpartyId: undefined, counterpartyUrl: `${url}/api` }),
      agentToken: await obtainToken(url),
    }
    const stranger = await createOrganisation(scene.baseUrl)
    const { approvalId, found } = await decide(request)
    expect(found[0]).to.equal('step_up_required')
    const copied = (await scene.verifyUnproven(request, stranger)).body
    expect([copied.recommendation, copied.identityProof]).to.deep.equal(['step_up_required', 'token'])
    wait(20)
    await approve(approvalId)
    expect((await decide(request)).found).to.deep.equal(['grant'])
  })

  it('is not granted with it after the approval has ended', async () => {
    const { request, approvalId } = await hold()
    await approve(approvalId)
    wait(31)
    expect((await decide(request)).found).to.deep.equal(EXPIRED)
    const again = await decide({ ...request, agentToken: await obtainToken() })
    expect(again.found[0]).to.equal('step_up_required')
    await approve(again.approvalId)
    expect((await decide(request)).found).to.deep.equal(EXPIRED)
  })

  it('is not granted with it, nor held, if the token had expired before', async () => {
    const agentToken = await obtainToken()
    wait(16)
    const request = { ...scene.asking(agentId), agentToken, attemptId: randomUUID() }
    for (const _ of [1, 2]) expect((await decide(request)).found).to.deep.equal(EXPIRED)
  })

  it('is not granted with it once the account that obtained it is revoked', async () => {
    const { request, approvalId } = await hold()
    wait(20)
    await approve(approvalId)
    const headers = { 'x-svc-elevation': await ada.elevation() }
    const path = `/api/agents/${agentId}/accounts/${account.address}`
    expect((await ada.call('DELETE', path, { headers })).status).to.equal(200)
    expect((await decide(request)).found).to.deep.equal(['deny', 'agent.proof', 'revoked_key'])
  })
})
