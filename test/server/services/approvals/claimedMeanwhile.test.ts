import { randomUUID } from 'node:crypto'
import { canonicaliseJson } from '@svc/core/canonicaliseJson.ts'
import { sha256Hex } from '@svc/core/hash.ts'
import { expect } from 'chai'
import { type Approvals, openApprovals } from './openApprovals.ts'

describe('an approval of a request at a URL that is claimed meanwhile', () => {
  let scene: Approvals
  let url: string

  before(async () => {
    scene = await openApprovals()
  })
  beforeEach(() => {
    url = `https://${randomUUID()}.acme.io/api`
  })
  after(() => scene?.service.stop())

  const ask = () => scene.ask({ counterpartyId: undefined, counterpartyUrl: url })
  const idAt = async () => {
    const [row] = await scene.store('SELECT id FROM endpoints WHERE url = ?', url)
    return (row as { id: string }).id
  }
  const register = async (): Promise<string> => {
    const body = { name: 'Shop', counterpartyUrl: url }
    const registered = await scene.call('POST', '/api/endpoints', { bearer: scene.shop.apiKey, body })
    expect(registered.status, JSON.stringify(registered.body)).to.equal(201)
    return registered.body.svceId
  }
  const claim = async (): Promise<string> => {
    const path = `/api/endpoints/${await idAt()}/claim`
    const body = { organizationId: scene.shop.organizationId }
    const claimed = await scene.call('POST', path, { bearer: scene.shop.accessToken, body })
    expect(claimed.status, JSON.stringify(claimed.body)).to.be.below(300)
    return claimed.body.svceId
  }

  for (const [way, take] of Object.entries({ 'by registering it': register, 'in the dashboard': claim }))
    it(`${way} lets the request pass once`, async () => {
      const [{ request, approvalId }, before] = [await ask(), await idAt()]
      await scene.ada.approve(approvalId)
      await take()
      expect(await idAt()).to.equal(before)
      expect(await scene.recommendationOf(request)).to.equal('grant')
      expect(await scene.statusOf(approvalId)).to.equal('consumed')
      expect(await scene.recommendationOf(request)).to.equal('step_up_required')
    })

  it('may be given after the claim, and is then used by a request that names the identifier', async () => {
    const { request, approvalId } = await ask()
    const counterpartyId = await register()
    const { body } = await scene.verify(request)
    expect(body.stepUpApproval.approvalId).to.equal(approvalId)
    await scene.ada.approve(approvalId)
    const named = { ...request, counterpartyUrl: undefined, counterpartyId }
    expect(await scene.recommendationOf(named)).to.equal('grant')
  })

  it('is good for no other request', async () => {
    const { request, approvalId } = await ask()
    await scene.ada.approve(approvalId)
    await register()
    const { status, body } = await scene.verify({ ...request, transactionValue: 151 })
    expect([status, body.code]).to.deep.equal([409, 'ATTEMPT_MISMATCH'])
    expect(await scene.statusOf(approvalId)).to.equal('approved')
  })

  it('is bound to the identifier if the URL had been claimed, as the former release expects', async () => {
    const { request, approvalId } = await scene.ask()
    const [stored] = await scene.store('SELECT request_hash FROM step_up_approvals WHERE id = ?', approvalId)
    const [endpoint] = await scene.store('SELECT url FROM endpoints WHERE svce_id = ?', scene.svceId)
    const bound = {
      agentId: request.agentId,
      endpointId: scene.svceId,
      counterpartyUrl: (endpoint as { url: string }).url,
      category: 'shopping',
      action: 'buy',
      resource: '/orders/1',
      jurisdiction: 'DE',
      transactionValue: 150,
      currency: 'USD',
    }
    expect(stored).to.deep.equal({ request_hash: sha256Hex(canonicaliseJson(bound)) })
  })
})
