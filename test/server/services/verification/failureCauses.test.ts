import { randomUUID } from 'node:crypto'
import { PROOF_CAUSES } from '@svc/core/access/failureCauses.ts'
import { failureOf } from '@svc/core/access/failureOf.ts'
import { proofFailureOf } from '@svc/core/access/nameProofCause.ts'
import { accountRevocationOf } from '@svc/core/signing/accountRevocationOf.ts'
import type { IntentClaims } from '@svc/core/signing/intentClaims.ts'
import { expect } from 'chai'
import { createAgentKey } from '../../../builders/createAgentKey.ts'
import { registerAgent, registerEndpoint, signHeaders } from '../../../builders/participants.ts'
import { type SentRequest, signAsAgent, signIntent } from '../../../builders/signAsAgent.ts'
import { storeAgentKey } from '../../../builders/storeAgentKey.ts'
import { type Owner, type OwnerScene, openOwnerScene } from '../approvals/openOwnerScene.ts'

const HOST = 'causes.acme.io'
const ORDER = `https://${HOST}/orders/1`

describe('the cause of a failure', () => {
  const [key, revoked] = [createAgentKey(), createAgentKey()]
  let scene: OwnerScene
  let ada: Owner
  let agentId: string
  let open: string

  before(async () => {
    scene = await openOwnerScene()
    ada = await scene.owner()
    agentId = await ada.agent()
    for (const one of [key, revoked]) await storeAgentKey(scene.service, agentId, one)
    await scene.service.rows(
      'UPDATE agent_keys SET revoked_at = ? WHERE kid = ?',
      scene.time.now,
      revoked.kid,
    )
    open = await registerEndpoint(scene.baseUrl, scene.shop.apiKey, { counterpartyUrl: `https://${HOST}/` })
  })
  after(() => scene?.service.stop())

  const seconds = () => Math.floor(scene.time.now / 1000)
  const signed = (varied: Partial<SentRequest> = {}, by = key) =>
    signAsAgent(by, { svcId: agentId, url: ORDER, created: seconds(), ...varied })
  const intent = (varied: Partial<IntentClaims> = {}) =>
    signIntent(key, {
      ...{ iss: agentId, aud: open, iat: seconds(), exp: seconds() + 60, jti: randomUUID() },
      ...varied,
    })
  const ask = async (body: object, headers: Record<string, string> = {}) =>
    (await scene.call('POST', '/api/agents/verify-access', { bearer: scene.shop.apiKey, body, headers })).body
  const verify = (fields: object) =>
    ask({ agentId, counterpartyId: open, purpose: 'shopping:buy', resource: '/orders/1', ...fields })
  const boundToken = async () => {
    const agent = await registerAgent(scene.baseUrl)
    const path = `/api/agents/${agent.svcId}/token`
    const fields = { audience: open, jkt: key.kid }
    const signing = { method: 'POST', path, body: JSON.stringify(fields), timestamp: seconds() }
    const headers = await signHeaders(agent.account, signing)
    const { agentToken } = (await scene.call('POST', path, { body: fields, headers })).body
    return { agentId: agent.svcId, agentToken }
  }
  const recordOf = async (recordId: string) => {
    const [row] = await scene.service.rows<{ entry: string; inputs: string; event_data: string }>(
      'SELECT entry, inputs, event_data FROM audit_records WHERE record_id = ?',
      recordId,
    )
    if (row === undefined) throw new Error(`no record ${recordId}`)
    return { entry: JSON.parse(row.entry), inputs: JSON.parse(row.inputs), event: JSON.parse(row.event_data) }
  }

  const WRONG: Record<string, () => object | Promise<object>> = {
    not_reported: () => {
      const { contentDigest: _, ...reported } = signed({
        method: 'POST',
        body: '{}',
        created: seconds() - 900,
      })
      return { callerMetadata: reported }
    },
    malformed: () => ({ callerMetadata: { ...signed(), signature: 'garbage' } }),
    not_covered: () => ({ callerMetadata: signed({ components: ['@authority', 'x-svc-id'] }) }),
    not_yet_valid: () => ({ callerMetadata: signed({ created: seconds() + 90 }) }),
    long_lived: () => ({ callerMetadata: signed({ expires: seconds() + 3_600 }) }),
    expired: () => ({ callerMetadata: signed({ created: seconds() - 90 }) }),
    replayed: async () => {
      const callerMetadata = signed()
      await verify({ callerMetadata })
      return { callerMetadata }
    },
    unknown_key: () => ({ callerMetadata: signed({}, createAgentKey()) }),
    revoked_key: () => ({ callerMetadata: signed({}, revoked) }),
    holder_missing: boundToken,
    wrong_agent: () => ({ callerMetadata: signed({ svcId: 'SVC-0000000000000000000000' }) }),
    wrong_endpoint: () => ({ callerMetadata: signed({ url: 'https://other.acme.io/orders/1' }) }),
    altered: () => ({ callerMetadata: { ...signed(), targetUri: `https://${HOST}/orders/2` } }),
    contradicted: () => ({ intentProof: intent({ amount: 10, currency: 'USD' }), transactionValue: 11 }),
  }
  for (const cause of PROOF_CAUSES) {
    it(`of a proof is told as ${cause}, stands in event and record, and is replayed`, async () => {
      const presented = (await WRONG[cause]?.()) ?? {}
      const { auditRecordId, recommendation, identityProof, access } = await verify(presented)
      expect([recommendation, identityProof]).to.deep.equal(['deny', 'none'])
      const docsUrl = access.failures[0].docsUrl
      expect(docsUrl).to.match(/\/docs\/denials#agentproof$/)
      expect(access.failures).to.deep.equal([{ ...proofFailureOf(cause), docsUrl }])
      const { entry, inputs, event } = await recordOf(auditRecordId)
      expect(event.causes).to.deep.equal({ 'agent.proof': cause })
      expect(event.wrongProof).to.equal('agentToken' in presented ? 'token' : 'signature')
      expect(inputs.proof).to.deep.equal({ grade: 'none', isWrong: true, cause })
      expect(entry.dimensions).to.deep.equal(['agent.proof'])
      const path = `/api/audit/records/${auditRecordId}/replay`
      const { body } = await scene.call('POST', path, { bearer: scene.shop.apiKey })
      expect([body.reproduced, body.replayed.access]).to.deep.equal([true, access])
    })
  }

  it('of a token beside a valid signature, or of a signature beside a valid token, names the one that does not hold', async () => {
    const { svcId, account } = await registerAgent(scene.baseUrl)
    await storeAgentKey(scene.service, svcId, key)
    const path = `/api/agents/${svcId}/token`
    const signing = { method: 'POST', path, body: JSON.stringify({ audience: open }), timestamp: seconds() }
    const headers = await signHeaders(account, signing)
    const { agentToken } = (await scene.call('POST', path, { body: { audience: open }, headers })).body
    const told = async (varied: Partial<SentRequest>, token: string) => {
      const presented = { callerMetadata: signed({ svcId, ...varied }), agentToken: token }
      const { auditRecordId } = await verify({ agentId: svcId, ...presented })
      const { wrongProof, causes = {} } = (await recordOf(auditRecordId)).event
      return [wrongProof, causes['agent.proof']]
    }
    expect(await told({}, agentToken)).to.deep.equal([undefined, undefined])
    expect(await told({}, `${agentToken}x`)).to.deep.equal(['token', 'malformed'])
    expect(await told({ created: seconds() - 90 }, agentToken)).to.deep.equal(['signature', 'expired'])
    const [{ ownerId } = { ownerId: '' }] = await scene.service.rows<{ ownerId: string }>(
      'SELECT owner_id AS "ownerId" FROM agents WHERE svc_id = ?',
      svcId,
    )
    await scene.service.rows(
      'INSERT INTO used_proofs (proof, expires_at) VALUES (?, ?)',
      accountRevocationOf({ ownerId, address: account.address.toLowerCase() }),
      scene.time.now + 60_000,
    )
    expect(await told({}, agentToken)).to.deep.equal(['token', 'revoked_key'])
  })

  it('is shown to the owner of the agent', async () => {
    const { auditRecordId } = await verify({ callerMetadata: signed({ created: seconds() - 90 }) })
    const path = `/api/audit/records/${auditRecordId}`
    const { body } = await ada.call('GET', path)
    expect(body.record.event.eventData).to.deep.include({
      ...{ causes: { 'agent.proof': 'expired' }, wrongProof: 'signature' },
    })
  })

  it('is absent where nothing was presented, and from a dry run by a stranger', async () => {
    const { access, auditRecordId } = await verify({})
    const { docsUrl } = access.failures[0]
    expect(access.failures).to.deep.equal([{ ...failureOf('agent.proof'), docsUrl }])
    expect((await recordOf(auditRecordId)).event).to.not.have.any.keys('causes', 'wrongProof')
    const tried = await verify({ dryRun: true, callerMetadata: signed({ created: seconds() - 90 }) })
    expect(tried.access.failures).to.deep.equal([
      { ...failureOf('mandate'), docsUrl: docsUrl.replace('#agentproof', '#mandate') },
    ])
  })

  it('does not tell whether an account is one of the agent, unless the account signed', async () => {
    const { svcId, account } = await registerAgent(scene.baseUrl)
    await storeAgentKey(scene.service, svcId, key)
    const told = async (address: string, components?: readonly string[]) => {
      const keyid = `erc8128:1:${address.toLowerCase()}`
      const callerMetadata = signed({ svcId, keyid, ...(components === undefined ? {} : { components }) })
      const { access, auditRecordId } = await verify({ agentId: svcId, callerMetadata })
      const { causes, wrongProof } = (await recordOf(auditRecordId)).event
      return { access, causes, wrongProof }
    }
    const stranger = `0x${'8a'.repeat(20)}`
    const forged = await told(account.address)
    expect(forged.causes).to.deep.equal({ 'agent.proof': 'altered' })
    expect(await told(stranger)).to.deep.equal(forged)
    const unaddressed = await told(account.address, ['@authority'])
    expect(unaddressed).to.include({ causes: undefined, wrongProof: undefined })
    expect(await told(stranger, ['@authority'])).to.deep.equal(unaddressed)
  })

  it('of a purpose tells that none was stated, and nothing of those that are allowed', async () => {
    const pdlss = { purpose: { categories: ['shopping'], allowedActions: ['shopping.buy'] } }
    const { svcId } = await registerAgent(scene.baseUrl, { pdlss })
    const failed = async (fields: object) =>
      (await ask({ agentId: svcId, counterpartyId: open, ...fields })).access.failures.map(
        ({ dimension, cause }: { dimension: string; cause?: string }) => [dimension, cause],
      )
    expect(await failed({})).to.deep.equal([
      ['pdlss.purpose', 'not_stated'],
      ['pdlss.action', 'not_stated'],
    ])
    expect(await failed({ action: 'buy' })).to.deep.equal([
      ['pdlss.purpose', 'not_stated'],
      ['pdlss.action', undefined],
    ])
    expect(await failed({ purpose: 'travel' })).to.deep.equal([
      ['pdlss.purpose', undefined],
      ['pdlss.action', undefined],
    ])
  })

  it('of an identity tells a malformed identifier from an unknown one', async () => {
    const failed = async (named: string) => {
      const { access, auditRecordId } = await ask({ agentId: named, counterpartyId: open })
      const [{ dimension, cause, message }] = access.failures
      const { event } = await recordOf(auditRecordId)
      expect([event.causes, event.errorMessage]).to.deep.equal([{ [dimension]: cause }, message])
      return [dimension, cause]
    }
    expect(await failed('my-agent')).to.deep.equal(['agent.identity', 'malformed'])
    const unknown = `SVC-${'0'.repeat(22)}`
    expect(await failed(unknown)).to.deep.equal(['agent.identity', 'unknown_agent'])
  })

  for (const name of ['agentID', 'agent_id', 'agentid', 'Agent-Id', 'agntId']) {
    it(`is hinted at if ${name} was ignored, so that no agent is named`, async () => {
      const { warnings, correlationId } = await ask({ [name]: agentId, counterpartyId: open })
      expect(correlationId).to.be.a('string')
      expect(warnings).to.deep.equal([
        `The member ${name} was ignored, because it is unknown; agentId was probably meant.`,
      ])
    })
  }

  it('is hinted at for other misspelt members, also beside an agent, and not for unknown ones', async () => {
    const { warnings, agent } = await verify({ transaction_value: 10, traceId: 'x' })
    expect(agent.svcId).to.equal(agentId)
    expect(warnings).to.have.lengthOf(1)
    expect(warnings[0]).to.include('transaction_value').and.to.include('transactionValue')
    expect(await verify({ traceId: 'x' })).to.not.have.property('warnings')
  })
})
