import { expect } from 'chai'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { registerEndpoint } from '../../../builders/participants.ts'
import { signX402Payment } from '../../../builders/signX402Payment.ts'
import { type OwnerScene, openOwnerScene } from '../approvals/openOwnerScene.ts'

const HOST = 'mandates.acme.io'
const PDLSS = {
  limits: { autonomousThreshold: 1000, stepUpThreshold: 2000, approvalThreshold: 5000, currency: 'USDC' },
}

describe('the payment mandate of a verification', () => {
  const payer = privateKeyToAccount(generatePrivateKey())
  const stranger = privateKeyToAccount(generatePrivateKey())
  let scene: OwnerScene
  let agentId: string
  let svceId: string

  before(async () => {
    scene = await openOwnerScene()
    const ada = await scene.owner()
    agentId = await ada.agent({
      pdlss: PDLSS,
      protocols: ['x402'],
      x402: { walletAddress: payer.address },
    })
    await scene.service.rows(`UPDATE agents SET min_identity_proof = 'none' WHERE svc_id = ?`, agentId)
    const fields = { counterpartyUrl: `https://${HOST}/pay`, trustScoreRequirement: 0 }
    svceId = await registerEndpoint(scene.baseUrl, scene.shop.apiKey, fields)
  })
  after(() => scene?.service.stop())

  const seconds = () => Math.floor(scene.time.now / 1000)
  const payment = (varied: Parameters<typeof signX402Payment>[1] = {}, by = payer) =>
    signX402Payment(by, {
      ...{ validAfter: String(seconds() - 60), validBefore: String(seconds() + 60) },
      ...varied,
    })
  const verify = async (fields: object) => {
    const body = {
      ...{ agentId, counterpartyId: svceId, purpose: 'shopping:buy', resource: '/orders/1' },
      ...{ transactionValue: 0.01, currency: 'USDC', ...fields },
    }
    return (await scene.call('POST', '/api/agents/verify-access', { bearer: scene.shop.apiKey, body })).body
  }
  const seen = ({ recommendation, access }: Awaited<ReturnType<typeof verify>>) => [
    recommendation,
    ...(access.failures ?? []).map(({ dimension }: { dimension: string }) => dimension),
  ]
  const DENIED = ['deny', 'commerce.mandate']

  it('of x402 grants what it pays for, and denies another amount, merchant, holder or time', async () => {
    const present = async (one: object, fields: object = {}, payee?: string) =>
      seen(await verify({ mandate: { protocol: 'x402', value: JSON.stringify(one), payee }, ...fields }))
    const paid = await payment()
    expect(await present(paid, {}, paid.accepted.payTo)).to.deep.equal(['grant'])
    expect(await present(paid, { transactionValue: 0.02 })).to.deep.equal(DENIED)
    expect(await present(paid, {}, stranger.address)).to.deep.equal(DENIED)
    expect(await present(await payment({}, stranger))).to.deep.equal(DENIED)
    expect(await present(await payment({ validBefore: String(seconds()) }))).to.deep.equal(DENIED)
  })

  it('of x402 is also found in the headers that the counterparty reports', async () => {
    const inHeader = async (one: object) => Buffer.from(JSON.stringify(one)).toString('base64')
    const paid = { 'payment-signature': await inHeader(await payment()) }
    expect(seen(await verify({ callerMetadata: paid }))).to.deep.equal(['grant'])
    const stolen = { 'x-payment': await inHeader(await payment({}, stranger)) }
    expect(seen(await verify({ callerMetadata: stolen }))).to.deep.equal(DENIED)
  })

  it('stands in event and audit entry by its hash only, counts against nobody, and is replayed', async () => {
    const value = JSON.stringify(await payment({}, stranger))
    const { auditRecordId } = await verify({ mandate: { protocol: 'x402', value } })
    const path = '/api/activity?limit=5'
    const { items } = (await scene.call('GET', path, { bearer: scene.shop.apiKey })).body
    const { eventData } = items.find((one: { auditRecordId: string }) => one.auditRecordId === auditRecordId)
    const hash = `0x${Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(value))).toString('hex')}`
    expect(eventData.mandate).to.deep.equal({ protocol: 'x402', hash, isWrong: true, isSigned: false })
    const [row] = await scene.service.rows<Record<string, string>>(
      'SELECT entry, inputs, event_data FROM audit_records WHERE record_id = ?',
      auditRecordId,
    )
    expect(JSON.parse(row?.entry ?? '').mandateHash).to.equal(hash)
    expect(JSON.parse(row?.event_data ?? '').countsAgainstAgent).to.equal(false)
    expect(JSON.stringify(row)).to.not.contain(JSON.parse(value).payload.signature)
    const replay = `/api/audit/records/${auditRecordId}/replay`
    const replayed = await scene.call('POST', replay, { bearer: scene.shop.apiKey })
    expect(replayed.body).to.include({ reproduced: true, inputsMatch: true })
  })

  it('that has no known protocol or is too long is refused with what is wrong', async () => {
    const refused = await scene.call('POST', '/api/agents/verify-access', {
      bearer: scene.shop.apiKey,
      body: { agentId, counterpartyId: svceId, mandate: { protocol: 'cheque', value: 'x'.repeat(32_769) } },
    })
    expect(refused.status).to.equal(400)
    const pointers = refused.body.errors.map(({ pointer }: { pointer: string }) => pointer)
    expect(pointers).to.have.members(['/mandate/protocol', '/mandate/value'])
  })
})
