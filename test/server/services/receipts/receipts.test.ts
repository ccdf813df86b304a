import { randomUUID } from 'node:crypto'
import { hashReceipt } from '@svc/core/receipt/hashReceipt.ts'
import { expect } from 'chai'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { registerEndpoint } from '../../../builders/participants.ts'
import { containsValue } from '../../../harness/values/containsValue.ts'
import { openReceipts, type ReceiptScene } from './openReceipts.ts'

/** Distinctive values of the agent's boundary, which no request of these tests states. */
const CANARIES = ['canary', '77771', '77772', '100.25', '200.75', '50000.5', 'QX', 'restrictions', 'pdlss']

describe('the receipt of a decision', () => {
  let scene: ReceiptScene
  let agentId: string
  let svceId: string

  before(async () => {
    scene = await openReceipts()
    ;({ agentId, svceId } = scene)
  })
  after(() => scene?.service.stop())

  const entryOf = async (recordId: string) => {
    const { body } = await scene.call('GET', `/api/audit/records/${recordId}`, { bearer: scene.shop.apiKey })
    return JSON.parse(Buffer.from(body.record.entry, 'base64').toString())
  }

  it('states the verdict, and verifies with the published keys', async () => {
    const answer = await scene.ask()
    const iat = Math.floor(scene.time.now / 1000)
    const { status, ...claims } = await scene.open(answer.receipt)
    expect(claims).to.deep.equal({
      iss: scene.issuer,
      sub: agentId,
      aud: svceId,
      jti: answer.auditRecordId,
      recommendation: 'grant',
      accessLevel: answer.access.accessLevel,
      purpose: 'shopping:buy',
      action: 'buy',
      resource: '/orders/1',
      value: 20,
      currency: 'USD',
      identityProof: answer.identityProof,
      sessionId: answer.sessionId,
      iat,
      exp: iat + 300,
    })
    expect(status).to.have.nested.property('status_list.idx').that.is.a('number')
    expect(status).to.have.nested.property('status_list.uri', `${scene.issuer}/.well-known/status/0`)
  })

  it('is signed with a key of its own', async () => {
    const { keys } = await scene.readKeys()
    const { receipt } = await scene.ask()
    const header = decodeProtectedHeader(receipt)
    expect(Object.keys(header)).to.have.members(['alg', 'kid', 'typ'])
    const own = keys.filter((key: { kid: string }) => key.kid === header.kid)
    expect(own).to.have.length(1)
    expect(own[0])
      .to.include({ kty: 'OKP', crv: 'Ed25519', use: 'sig', alg: 'EdDSA' })
      .and.not.have.property('d')
  })

  it('comes with every recommendation; only a grant has a status, and the others expire soon', async () => {
    for (const [fields, recommendation] of [
      [{ resource: '/elsewhere' }, 'deny'],
      [{ transactionValue: 150 }, 'step_up_required'],
    ] as const) {
      const answer = await scene.ask(fields)
      const claims = await scene.open(answer.receipt)
      expect(claims).to.include({ recommendation, accessLevel: 'none', jti: answer.auditRecordId })
      expect(claims).to.not.have.property('status')
      expect(Number(claims.exp) - Number(claims.iat)).to.equal(300)
    }
  })

  it('lasts as long as the session that was asked for, but no longer than a day', async () => {
    const lifeOf = async (fields: object) => {
      const { iat, exp } = decodeJwt((await scene.ask(fields)).receipt)
      return Number(exp) - Number(iat)
    }
    const free = await scene.agentOwner.agent({ pdlss: {} })
    expect(await lifeOf({ agentId: free, sessionDuration: 90 })).to.equal(90)
    expect(await lifeOf({ agentId: free, sessionDuration: 604_800 })).to.equal(86_400)
    const pdlss = { duration: { maxSessionDuration: 30 } }
    const brief = await registerEndpoint(scene.baseUrl, scene.shop.apiKey, { pdlss })
    expect(await lifeOf({ agentId: free, counterpartyId: brief })).to.equal(30)
  })

  it('names no session if none was opened', async () => {
    const answer = await scene.ask({ createSession: false })
    expect(await scene.open(answer.receipt)).to.not.have.property('sessionId')
  })

  it('is issued only if the request or the endpoint asks for it, and the request prevails', async () => {
    const asksFor = (includeReceipt: boolean) => ({ includeReceipt })
    expect(await scene.ask({ includeReceipt: undefined })).to.not.have.property('receipt')
    const own = await registerEndpoint(scene.baseUrl, scene.shop.apiKey, asksFor(true))
    const there = { counterpartyId: own, includeReceipt: undefined }
    await scene.open((await scene.ask(there)).receipt, own)
    expect(await scene.ask({ ...there, ...asksFor(false) })).to.not.have.property('receipt')
    const change = { bearer: scene.shop.apiKey, body: asksFor(false) }
    const changed = await scene.call('PUT', `/api/endpoints/${own}`, change)
    expect(changed.body.endpoint.includeReceipt).to.equal(false)
    expect(await scene.ask(there)).to.not.have.property('receipt')
  })

  it('is not issued for a dry run, nor about a caller without identity or an unknown agent', async () => {
    for (const fields of [
      { dryRun: true },
      { agentId: undefined },
      { agentId: 'SVC-0000000000000000000009' },
    ]) {
      expect(await scene.ask(fields)).to.not.have.property('receipt')
    }
  })

  it('is not issued at a URL that nobody has claimed, where any account can ask', async () => {
    const counterpartyUrl = `https://${randomUUID()}.acme.io:8443/a/b`
    for (let times = 0; times < 2; times += 1) {
      const answer = await scene.ask({ counterpartyId: undefined, counterpartyUrl })
      expect(answer.recommendation).to.equal('grant')
      expect(answer).to.not.have.property('receipt')
    }
  })

  it('is repeated with the answer under an Idempotency-Key', async () => {
    const key = { 'Idempotency-Key': randomUUID() }
    const [first, again] = [await scene.ask({}, key), await scene.ask({}, key)]
    expect(again.receipt).to.be.a('string').and.equal(first.receipt)
  })

  it('has its hash in the entry of the audit log, and leaves other entries as they are', async () => {
    const answer = await scene.ask()
    expect(await entryOf(answer.auditRecordId)).to.include({ receiptHash: hashReceipt(answer.receipt) })
    const without = await scene.ask({ includeReceipt: false })
    expect(await entryOf(without.auditRecordId)).to.not.have.property('receiptHash')
  })

  it('contains nothing of the agent’s boundary, whatever the verdict', async () => {
    const asks = [
      {},
      { includeTokenGuidance: true },
      { purpose: 'write_data:delete' },
      { transactionValue: 150 },
      { transactionValue: 9e9 },
      { resource: '/elsewhere' },
      { currency: 'EUR' },
      { sessionDuration: 400_000 },
      { subAgent: { purpose: 'x', depth: 2 } },
    ]
    for (const fields of asks) {
      const claims = decodeJwt((await scene.ask(fields)).receipt)
      const text = JSON.stringify({ ...claims, lifeSeconds: Number(claims.exp) - Number(claims.iat) })
      for (const canary of CANARIES) expect(containsValue(text, canary), canary).to.equal(false)
    }
  })

  it('gives every grant a position of its own', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => scene.ask({ transactionValue: undefined })),
    )
    const indexes = answers.map(({ receipt }) => JSON.stringify(decodeJwt(receipt).status))
    expect(new Set(indexes)).to.have.property('size', 40)
  })
})
