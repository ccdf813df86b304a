import { canonicaliseJson } from '@svc/core/canonicaliseJson.ts'
import { expect } from 'chai'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createAgentKey } from '../../../builders/createAgentKey.ts'
import { registerEndpoint } from '../../../builders/participants.ts'
import { signIntent } from '../../../builders/signAsAgent.ts'
import { signDelegation } from '../../../builders/signDelegation.ts'
import { type SignedAs, signTap } from '../../../builders/signTap.ts'
import { signText } from '../../../builders/signText.ts'
import { signX402Payment } from '../../../builders/signX402Payment.ts'
import { storeAgentKey } from '../../../builders/storeAgentKey.ts'
import { type OwnerScene, openOwnerScene } from '../approvals/openOwnerScene.ts'

const HOST = 'mandates.acme.io'
/** Without spend limits, so that only the mandates say anything about amounts and currencies. */
const PDLSS = { purpose: { categories: ['shopping'] } }

describe('the payment mandate of a verification', () => {
  const payer = privateKeyToAccount(generatePrivateKey())
  const stranger = privateKeyToAccount(generatePrivateKey())
  const [provider, key, otherKey] = [
    createAgentKey('P-256'),
    createAgentKey('P-256'),
    createAgentKey('P-256'),
  ]
  const tapKey = createAgentKey()
  let scene: OwnerScene
  let agentId: string
  let svceId: string

  before(async () => {
    scene = await openOwnerScene()
    const ada = await scene.owner()
    agentId = await ada.agent({
      pdlss: PDLSS,
      protocols: ['x402', 'ap2', 'ucp', 'tap'],
      // No token of which it would become the currency of the boundary.
      x402: { walletAddress: payer.address, supportedTokens: ['USD'] },
      ap2: { agentDid: 'did:web:agent.example', issuerKeys: [{ ...provider.jwk, kid: 'provider-1' }] },
      ucp: {
        manifestUrl: `https://${HOST}/.well-known/ucp`,
        issuerKeys: [{ ...provider.jwk, kid: 'provider-1' }],
      },
      tap: { visaAgentId: 'visa-1', publicKey: { ...tapKey.jwk } },
    })
    await storeAgentKey(scene.service, agentId, key)
    await scene.service.rows('UPDATE agent_keys SET proven_at = ? WHERE agent_id = ?', 1, agentId)
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

  it('of AP2 grants what it pays for, and denies another amount, merchant, holder or time', async () => {
    const payee = { id: 'shop', name: 'Shop', website: `https://${HOST}` }
    const chain = (varied: { holder?: typeof key; exp?: number; website?: string } = {}) =>
      signDelegation([
        {
          ...{ by: provider, header: { kid: 'provider-1' } },
          mandate: {
            ...{ vct: 'mandate.payment.open.1', constraints: [], exp: varied.exp ?? seconds() + 60 },
            cnf: { jwk: (varied.holder ?? key).jwk },
          },
        },
        {
          by: varied.holder ?? key,
          mandate: {
            ...{ vct: 'mandate.payment.1', payee: { ...payee, website: varied.website ?? payee.website } },
            payment_amount: { amount: 2000, currency: 'EUR' },
          },
        },
      ])
    const present = async (value: string, transactionValue = 20) =>
      seen(await verify({ mandate: { protocol: 'ap2', value }, transactionValue, currency: 'EUR' }))
    expect(await present(chain())).to.deep.equal(['grant'])
    expect(await present(chain(), 21)).to.deep.equal(DENIED)
    expect(await present(chain({ website: 'https://other.io' }))).to.deep.equal(DENIED)
    expect(await present(chain({ holder: otherKey }))).to.deep.equal(DENIED)
    expect(await present(chain({ exp: seconds() }))).to.deep.equal(DENIED)
  })

  it('held by a key that was only named counts beside a signature of that key', async () => {
    const ada = await scene.owner()
    const issuerKeys = [{ ...provider.jwk, kid: 'provider-1' }]
    const ap2 = { agentDid: 'did:web:agent.example', issuerKeys }
    const occupier = await ada.agent({ pdlss: PDLSS, protocols: ['ap2'], ap2 })
    await storeAgentKey(scene.service, occupier, key)
    await scene.service.rows(`UPDATE agents SET min_identity_proof = 'none' WHERE svc_id = ?`, occupier)
    const terms = { payee: { id: 'shop', name: 'Shop', website: `https://${HOST}` } }
    const value = await signDelegation([
      {
        ...{ by: provider, header: { kid: 'provider-1' } },
        mandate: {
          ...{ vct: 'mandate.payment.open.1', constraints: [], exp: seconds() + 60 },
          cnf: { jwk: key.jwk },
        },
      },
      {
        by: key,
        mandate: { vct: 'mandate.payment.1', ...terms, payment_amount: { amount: 2000, currency: 'EUR' } },
      },
    ])
    const present = async (fields: object = {}) => {
      const payment = { mandate: { protocol: 'ap2', value }, transactionValue: 20, currency: 'EUR' }
      return seen(await verify({ agentId: occupier, ...payment, ...fields }))
    }
    const times = { iat: seconds(), exp: seconds() + 60 }
    const intentProof = signIntent(key, { iss: occupier, aud: svceId, ...times, jti: 'n'.repeat(16) })
    expect(await present()).to.deep.equal(DENIED)
    expect(await present({ intentProof })).to.deep.equal(['grant'])
  })

  it('of TAP grants a request to pay, and denies another intent, page, key or time', async () => {
    const signed = (varied: Partial<SignedAs> = {}, by = tapKey) => {
      const times = { created: seconds(), expires: seconds() + 300 }
      return signTap(by, { ...times, url: `https://${HOST}/pay/1`, ...varied })
    }
    const present = async (callerMetadata: object) =>
      seen(await verify({ mandate: { protocol: 'tap' }, callerMetadata }))
    expect(await present(signed())).to.deep.equal(['grant'])
    expect(seen(await verify({ callerMetadata: signed() }))).to.deep.equal(['grant'])
    const proper = { separator: ';', keyName: 'keyid' }
    expect(await present(signed(proper))).to.deep.equal(['grant'])
    expect(await present(signed({ ...proper, tag: 'agent-browser-auth' }))).to.deep.equal(DENIED)
    expect(await present({ ...signed(), targetUri: `https://${HOST}/pay/2` })).to.deep.equal(DENIED)
    expect(await present(signed({}, createAgentKey()))).to.deep.equal(DENIED)
    expect(await present(signed({ created: seconds() - 301, expires: seconds() }))).to.deep.equal(DENIED)
  })

  it('of ACP grants what its allowance states, and denies another amount, merchant, holder or time', async () => {
    const completion = { payment_data: { instrument: { credential: { type: 'spt', token: 'vt_1' } } } }
    const signature = (by = key) => signText(by, canonicaliseJson(completion)).toString('base64url')
    const present = async (varied: object = {}, by = key) => {
      const expires_at = new Date(scene.time.now + 60_000).toISOString()
      const allowance = { max_amount: 2000, currency: 'usd', merchant_id: 'acme', expires_at, ...varied }
      const value = JSON.stringify({ token: 'vt_1', allowance, completion, signature: signature(by) })
      const mandate = { protocol: 'acp', value, payee: 'acme' }
      return seen(await verify({ mandate, transactionValue: 20, currency: 'USD' }))
    }
    expect(await present()).to.deep.equal(['grant'])
    expect(await present({ max_amount: 1999 })).to.deep.equal(DENIED)
    expect(await present({ merchant_id: 'other' })).to.deep.equal(DENIED)
    expect(await present({}, otherKey)).to.deep.equal(DENIED)
    const expired = new Date(scene.time.now).toISOString()
    expect(await present({ expires_at: expired })).to.deep.equal(DENIED)
  })

  it('of UCP grants the total of its checkout, and denies another amount, merchant, holder or time', async () => {
    const header = Buffer.from('{"alg":"ES256","kid":"merchant-1"}').toString('base64url')
    const checkout = {
      ...{ id: 'chk_1', currency: 'USD', totals: [{ type: 'total', amount: 2000 }] },
      ap2: { merchant_authorization: `${header}..AAAA` },
    }
    const present = async (
      varied: { holder?: typeof key; exp?: number; transactionValue?: number; payee?: string } = {},
    ) => {
      const { holder = key, exp = seconds() + 60, transactionValue = 20, payee = 'merchant-1' } = varied
      const mandate = { cnf: { jwk: holder.jwk }, exp, checkout }
      const value = signDelegation([{ by: provider, header: { kid: 'provider-1' }, mandate }])
      const fields = { transactionValue, currency: 'USD' }
      return seen(await verify({ mandate: { protocol: 'ucp', value, payee }, ...fields }))
    }
    expect(await present()).to.deep.equal(['grant'])
    expect(await present({ transactionValue: 21 })).to.deep.equal(DENIED)
    expect(await present({ payee: 'merchant-2' })).to.deep.equal(DENIED)
    expect(await present({ holder: otherKey })).to.deep.equal(DENIED)
    expect(await present({ exp: seconds() })).to.deep.equal(DENIED)
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
    expect(eventData.mandate).to.deep.equal({
      protocol: 'x402',
      hash,
      isWrong: true,
      isSigned: false,
      isHolderProven: false,
    })
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

  for (const [what, mandate] of Object.entries({
    'of TAP with a value': { protocol: 'tap', value: 'x' },
    'of another protocol without one': { protocol: 'ap2' },
  })) {
    it(`${what} is refused`, async () => {
      const body = { agentId, counterpartyId: svceId, mandate }
      const bearer = scene.shop.apiKey
      const refused = await scene.call('POST', '/api/agents/verify-access', { bearer, body })
      expect([refused.status, refused.body.code]).to.deep.equal([400, 'VALIDATION_ERROR'])
      expect(refused.body.errors.map(({ pointer }: { pointer: string }) => pointer)).to.deep.equal([
        '/mandate/value',
      ])
    })
  }
})
