import { randomUUID } from 'node:crypto'
import { sha256Hex } from '@svc/core/hash.ts'
import type { IntentClaims } from '@svc/core/signing/intentClaims.ts'
import { expect } from 'chai'
import { keyRevocationOf } from '../../../../server/services/verification/proofs/keyRevocationOf.ts'
import { createAgentKey } from '../../../builders/createAgentKey.ts'
import {
  registerAgent,
  registerEndpoint,
  signHeaders,
  type TestAgent,
} from '../../../builders/participants.ts'
import { type SentRequest, signAsAgent, signIntent } from '../../../builders/signAsAgent.ts'
import { storeAgentKey } from '../../../builders/storeAgentKey.ts'
import { type Owner, type OwnerScene, openOwnerScene } from '../approvals/openOwnerScene.ts'

const HOST = 'proofs.acme.io'

describe('the identity proof of a verification', () => {
  const key = createAgentKey()
  let scene: OwnerScene
  let ada: Owner
  /** An agent with the key, and one without keys. */
  let agentId: string
  let keyless: TestAgent
  /** An endpoint that requires nothing, and one that requires a signature. */
  let open: string
  let strict: string

  before(async () => {
    scene = await openOwnerScene()
    ada = await scene.owner()
    agentId = await ada.agent()
    await storeAgentKey(scene.service, agentId, key)
    await scene.service.rows(`UPDATE agents SET min_identity_proof = 'none' WHERE svc_id = ?`, agentId)
    keyless = await registerAgent(scene.baseUrl)
    const { apiKey } = scene.shop
    open = await registerEndpoint(scene.baseUrl, apiKey, { counterpartyUrl: `https://${HOST}/open` })
    const asking = { counterpartyUrl: `https://${HOST}/strict`, minIdentityProof: 'signature' }
    strict = await registerEndpoint(scene.baseUrl, apiKey, asking)
  })
  after(() => scene?.service.stop())

  const seconds = () => Math.floor(scene.time.now / 1000)
  const signed = (varied: Partial<SentRequest> = {}) =>
    signAsAgent(key, {
      ...{ svcId: agentId, url: `https://${HOST}/orders/1`, created: seconds() },
      ...varied,
    })
  const intent = (varied: Partial<IntentClaims> = {}) =>
    signIntent(key, {
      ...{ iss: agentId, aud: open, iat: seconds(), exp: seconds() + 60, jti: randomUUID() },
      ...varied,
    })
  const verify = async (fields: object, headers: Record<string, string> = {}) => {
    const body = { agentId, counterpartyId: open, purpose: 'shopping:buy', resource: '/orders/1', ...fields }
    const bearer = scene.shop.apiKey
    return (await scene.call('POST', '/api/agents/verify-access', { bearer, body, headers })).body
  }
  /** Has the owner asked from this value on; from none on only as the limits say. */
  const askFrom = async (minValue?: number) => {
    const headers = { 'X-Svc-Elevation': await ada.elevation() }
    const body = { rules: [{ dimension: 'spend', match: { minValue } }] }
    await ada.call('PUT', `/api/agents/${agentId}/approval-rules`, { body, headers })
  }
  const seen = ({ recommendation, identityProof, access }: Awaited<ReturnType<typeof verify>>) => [
    ...[recommendation, identityProof],
    ...(access.failures ?? []).map(({ dimension }: { dimension: string }) => dimension),
  ]
  const tokenOf = async (agent: TestAgent, fields: object) => {
    const path = `/api/agents/${agent.svcId}/token`
    const signing = { method: 'POST', path, body: JSON.stringify(fields), timestamp: seconds() }
    const headers = await signHeaders(agent.account, signing)
    return (await scene.call('POST', path, { body: fields, headers })).body.agentToken as string
  }

  it('is none for an agent that is only named, and a signature for a signed request or intent', async () => {
    expect(seen(await verify({}))).to.deep.equal(['grant', 'none'])
    expect(seen(await verify({ callerMetadata: signed() }))).to.deep.equal(['grant', 'signature'])
    expect(seen(await verify({ intentProof: intent() }))).to.deep.equal(['grant', 'signature'])
    expect(seen(await verify({}, { 'X-Svc-Proof': intent() }))).to.deep.equal(['grant', 'signature'])
  })

  it('of a request signed to pay is repeated under an Idempotency-Key, although its nonce is used up', async () => {
    const fields = { callerMetadata: signed({ tag: 'agent-payer-auth' }) }
    const headers = { 'idempotency-key': randomUUID() }
    const answer = await verify(fields, headers)
    expect(seen(answer)).to.deep.equal(['grant', 'signature'])
    expect(await verify(fields, headers)).to.deep.equal(answer)
    expect(seen(await verify(fields))[0]).to.equal('deny')
    const [row] = await scene.service.rows<{ entry: string }>(
      'SELECT entry FROM audit_records WHERE record_id = ?',
      answer.auditRecordId,
    )
    expect(JSON.parse(row?.entry ?? '')).to.not.have.property('mandateHash')
  })

  it('is a token for the bearer of one for this endpoint, in the body or a header', async () => {
    const token = await tokenOf(keyless, { audience: open })
    const by = { agentId: keyless.svcId }
    expect(seen(await verify({ ...by, agentToken: token }))).to.deep.equal(['grant', 'token'])
    expect(seen(await verify(by, { 'X-Svc-Token': token }))).to.deep.equal(['grant', 'token'])
    const elsewhere = await tokenOf(keyless, { audience: `https://other.acme.io` })
    expect(seen(await verify({ ...by, agentToken: elsewhere }))).to.deep.equal([
      'deny',
      'none',
      'agent.proof',
    ])
  })

  it('by a token leaves only the hash of it in the record, which replays', async () => {
    const token = await tokenOf(keyless, { audience: open })
    for (const [fields, headers] of [
      [{ agentToken: token }, {}],
      [{}, { 'X-Svc-Token': token }],
    ]) {
      const { auditRecordId } = await verify({ agentId: keyless.svcId, ...fields }, headers)
      const [row] = await scene.service.rows<{ inputs: string; event_data: string }>(
        'SELECT inputs, event_data FROM audit_records WHERE record_id = ?',
        auditRecordId,
      )
      expect(row?.inputs).to.include(`"agentToken":"sha256:${sha256Hex(token)}"`)
      expect(JSON.stringify(row)).to.not.include(token)
      const path = `/api/audit/records/${auditRecordId}/replay`
      const { body } = await scene.call('POST', path, { bearer: scene.shop.apiKey })
      expect([body.reproduced, body.replayed?.recommendation]).to.deep.equal([true, 'grant'])
    }
  })

  it('stands in the event of both parties and in the audit entry', async () => {
    const { auditRecordId } = await verify({ callerMetadata: signed() })
    const { items } = (await scene.call('GET', '/api/activity?limit=5', { bearer: scene.shop.apiKey })).body
    const event = items.find((item: { auditRecordId: string }) => item.auditRecordId === auditRecordId)
    expect(event.eventData).to.include({ identityProof: 'signature', proofKeyId: key.kid })
    const [row] = await scene.service.rows<{ entry: string }>(
      'SELECT entry FROM audit_records WHERE record_id = ?',
      auditRecordId,
    )
    expect(JSON.parse(row?.entry ?? '').identityProof).to.equal('signature')
  })

  it('is required where the endpoint says so, with guidance on how to prove', async () => {
    const at = { counterpartyId: strict }
    const named = await verify(at)
    expect(seen(named)).to.deep.equal(['deny', 'none', 'agent.proof'])
    expect(named.access.failures[0].guidance).to.match(/Sign the request/)
    expect(seen(await verify({ ...at, callerMetadata: signed() }))).to.deep.equal(['grant', 'signature'])
  })

  it('is not escaped by naming no agent: the endpoint gives the unnamed no more than the named', async () => {
    const { apiKey } = scene.shop
    const asking = { unverifiedAgentPolicy: 'allow_full', minIdentityProof: 'signature' }
    const lenient = await registerEndpoint(scene.baseUrl, apiKey, asking)
    const named = await verify({ counterpartyId: lenient })
    const unnamed = await verify({ counterpartyId: lenient, agentId: undefined })
    expect(seen(named)).to.deep.equal(['deny', 'none', 'agent.proof'])
    expect(seen(unnamed)).to.deep.equal(['deny', undefined, 'agent.proof'])
    expect(unnamed.access.failures).to.deep.equal(named.access.failures)
    const path = `/api/audit/records/${unnamed.auditRecordId}/replay`
    expect((await scene.call('POST', path, { bearer: apiKey })).body).to.include({ reproduced: true })
  })

  it('that is wrong denies the request, also where nothing is required', async () => {
    const altered = { ...signed(), targetUri: `https://${HOST}/orders/2` }
    expect(seen(await verify({ callerMetadata: altered }))).to.deep.equal(['deny', 'none', 'agent.proof'])
    const promised = intent({ amount: 10, currency: 'USD' })
    const stated = { transactionValue: 11, currency: 'USD' }
    const made = await verify({ ...stated, intentProof: promised })
    expect(seen(made)).to.deep.equal(['deny', 'none', 'agent.proof'])
  })

  it('that cannot be checked denies the request, and says what the counterparty has to hand over', async () => {
    const { contentDigest: _, ...callerMetadata } = signed({ method: 'POST', body: '{"sku":7}' })
    const { auditRecordId, ...made } = await verify({ callerMetadata })
    expect(seen(made as Awaited<ReturnType<typeof verify>>)).to.deep.equal(['deny', 'none', 'agent.proof'])
    expect(made.access.failures[0].guidance).to.match(/^Hand over in callerMetadata .*contentDigest/)
    const [row] = await scene.service.rows<{ event_data: string }>(
      'SELECT event_data FROM audit_records WHERE record_id = ?',
      auditRecordId,
    )
    expect(JSON.parse(row?.event_data ?? '')).to.include({ countsAgainstAgent: false })
    const path = `/api/audit/records/${auditRecordId}/replay`
    const { body } = await scene.call('POST', path, { bearer: scene.shop.apiKey })
    expect(body.reproduced).to.equal(true)
    expect(body.replayed.access.failures).to.deep.equal(made.access.failures)
  })

  it('is good once: of many requests with the same, one is granted, whoever asks', async () => {
    const proofs = [{ callerMetadata: signed() }, { intentProof: intent() }]
    for (const proof of proofs) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => verify(proof)))
      expect(answers.filter(({ recommendation }) => recommendation === 'grant').length).to.equal(1)
    }
    const nonce = randomUUID()
    await verify({ callerMetadata: signed({ nonce }) })
    const again = await verify({ counterpartyId: strict, callerMetadata: signed({ nonce }) })
    expect(seen(again)).to.deep.equal(['deny', 'none', 'agent.proof'])
  })

  it('is wrong if the key was revoked by another process, of which this one may not know yet', async () => {
    const svcId = await ada.agent()
    await storeAgentKey(scene.service, svcId, key)
    const present = async () => seen(await verify({ agentId: svcId, callerMetadata: signed({ svcId }) }))
    expect(await present()).to.deep.equal(['grant', 'signature'])
    const revocation = keyRevocationOf({ agentId: svcId, kid: key.kid })
    const insert = 'INSERT INTO used_proofs (proof, expires_at) VALUES (?, ?)'
    await scene.service.rows(insert, revocation, scene.time.now + 60_000)
    expect(await present()).to.deep.equal(['deny', 'none', 'agent.proof'])
    expect(seen(await verify({ callerMetadata: signed() }))).to.deep.equal(['grant', 'signature'])
  })

  it('is not used up by a dry run', async () => {
    const callerMetadata = signed()
    const tried = await verify({ callerMetadata, dryRun: true })
    expect(tried.identityProof).to.equal('signature')
    expect(seen(await verify({ callerMetadata }))).to.deep.equal(['grant', 'signature'])
  })

  it('may come again with a request that was held for approval, even after it expired, until it is used', async () => {
    const held = { attemptId: randomUUID(), transactionValue: 150, currency: 'USD', callerMetadata: signed() }
    const first = await verify(held)
    expect(seen(first).slice(0, 2)).to.deep.equal(['step_up_required', 'signature'])
    scene.time.now += 120_000
    expect(seen(await verify(held)).slice(0, 2)).to.deep.equal(['step_up_required', 'signature'])
    const other = { ...held, attemptId: randomUUID() }
    expect(seen(await verify(other))).to.include('agent.proof')
    await ada.approve(first.stepUpApproval.approvalId)
    expect(seen(await verify(held))).to.deep.equal(['grant', 'signature'])
    expect(seen(await verify(held))).to.include('agent.proof')
  })

  it('of a request that was held is used up by the decision, also if that needs the approval no more', async () => {
    for (const isApproved of [false, true]) {
      await askFrom(10)
      const asked = {
        ...{ attemptId: randomUUID(), transactionValue: 50, currency: 'USD' },
        callerMetadata: signed(),
      }
      const first = await verify(asked)
      expect(first.recommendation).to.equal('step_up_required')
      const { approvalId } = first.stepUpApproval
      // Whoever copies the proof does not use it up.
      expect(seen(await verify({ ...asked, attemptId: randomUUID() }))).to.include('agent.proof')
      if (isApproved) await ada.approve(approvalId)
      await askFrom()
      scene.time.now += 120_000
      const asks = await Promise.all(Array.from({ length: 20 }, () => verify(asked)))
      expect(asks.map(({ recommendation }) => recommendation).sort()).to.deep.equal([
        ...Array(19).fill('deny'),
        'grant',
      ])
      const { status } = await ada.readApproval(approvalId)
      expect(status).to.equal(isApproved ? 'consumed' : 'pending')
      scene.time.now += 600_000
      expect(seen(await verify(asked))).to.include('agent.proof')
    }
  })

  it('that a request was held with is needed to use up the approval also while nothing asks for one', async () => {
    await askFrom(10)
    const asked = { attemptId: randomUUID(), transactionValue: 50, currency: 'USD' }
    const held = { ...asked, callerMetadata: signed() }
    const { approvalId } = (await verify(held)).stepUpApproval
    await ada.approve(approvalId)
    await askFrom()
    expect(seen(await verify(asked))).to.deep.equal(['grant', 'none'])
    expect((await ada.readApproval(approvalId)).status).to.equal('approved')
    await askFrom(10)
    expect(seen(await verify(held))).to.deep.equal(['grant', 'signature'])
    expect((await ada.readApproval(approvalId)).status).to.equal('consumed')
  })

  it('that a request was held with is needed to use the approval, which nothing less replaces or uses up', async () => {
    const asked = { attemptId: randomUUID(), transactionValue: 150, currency: 'USD' }
    const first = await verify({ ...asked, callerMetadata: signed() })
    const unproven = [...['deny', 'none', 'agent.proof'], 'commerce.intent.approval_required']
    expect(seen(await verify(asked))).to.deep.equal(unproven)
    await ada.approve(first.stepUpApproval.approvalId)
    const { auditRecordId, ...stolen } = await verify(asked, { 'X-Svc-Id': agentId })
    expect(seen(stolen as typeof first)).to.deep.equal(unproven)
    const path = `/api/audit/records/${auditRecordId}/replay`
    const { body } = await scene.call('POST', path, { bearer: scene.shop.apiKey })
    expect([body.reproduced, body.replayed?.recommendation]).to.deep.equal([true, 'deny'])
    expect(seen(await verify({ ...asked, intentProof: intent() }))).to.deep.equal(['grant', 'signature'])
  })

  it('has to be in time if the request was not held', async () => {
    const callerMetadata = signed({ created: seconds() - 90 })
    expect(seen(await verify({ callerMetadata }))).to.deep.equal(['deny', 'none', 'agent.proof'])
  })

  it('is replayed with the decision', async () => {
    const { auditRecordId } = await verify({ counterpartyId: strict, callerMetadata: signed() })
    const path = `/api/audit/records/${auditRecordId}/replay`
    const { body } = await scene.call('POST', path, { bearer: scene.shop.apiKey })
    expect([body.reproduced, body.replayed?.recommendation]).to.deep.equal([true, 'grant'])
  })
})
