import { readFileSync } from 'node:fs'
import { canonicaliseJson } from '@svc/core/canonicaliseJson.ts'
import { expect } from 'chai'
import { importProofKeys } from '../../../../server/external/proofs/importProofKeys.ts'
import { createAgentKey } from '../../../builders/createAgentKey.ts'
import { signDelegation } from '../../../builders/signDelegation.ts'
import { signText } from '../../../builders/signText.ts'
import { judge, type Presented } from './checking.ts'

const { ucp: vector } = JSON.parse(readFileSync('test/vectors/mandates.json', 'utf8'))
const SECONDS = 1_790_000_000

describe('a checkout mandate of UCP', () => {
  const platform = createAgentKey('P-256')
  const agent = createAgentKey('P-256')
  const stranger = createAgentKey('P-256')
  const merchant = createAgentKey('P-256')

  /** The checkout as its merchant answered it. Source: UCP, AP2 Mandates Extension, Signature Computation. */
  const signCheckout = (changes: object = {}) => {
    const checkout = { ...vector.checkout, ...changes }
    const payload = Buffer.from(canonicaliseJson(checkout)).toString('base64url')
    const signature = signText(merchant, `${vector.merchantHeader}.${payload}`).toString('base64url')
    return { ...checkout, ap2: { merchant_authorization: `${vector.merchantHeader}..${signature}` } }
  }
  type Varied = { by?: typeof agent; holder?: typeof agent; exp?: number; checkout?: object; kid?: string }
  const mandate = ({ by = platform, holder = agent, exp = SECONDS + 60, ...varied }: Varied = {}) =>
    signDelegation([
      {
        ...{ by, header: { kid: varied.kid ?? 'platform-1' } },
        mandate: { cnf: { jwk: holder.jwk }, exp, checkout: varied.checkout ?? signCheckout() },
      },
    ])
  const check = async (value: string, varied: Partial<Presented> = {}, payee?: string) =>
    judge({
      mandate: { protocol: 'ucp', value, payee },
      holder: {
        keys: await importProofKeys([{ kid: agent.kid, jwk: { ...agent.jwk }, revokedAt: null }]),
        declarations: { ucp: { issuerKeys: [{ ...platform.jwk, kid: 'platform-1' }] } },
      },
      request: { transactionValue: 54, currency: 'USD' },
      now: SECONDS * 1000,
      ...varied,
    })

  it('covers the total of the checkout that the specification prints, in its currency', async () => {
    expect(await check(mandate())).to.equal('covers')
    const stated = (transactionValue: number, currency = 'USD') =>
      check(mandate(), { request: { transactionValue, currency } })
    expect(await stated(50)).to.equal('other_amount')
    expect(await stated(54.01)).to.equal('other_amount')
    expect(await stated(54, 'EUR')).to.equal('other_currency')
  })

  it('covers the merchant whose key signed the checkout', async () => {
    expect(await check(mandate(), {}, 'merchant_2025')).to.equal('covers')
    expect(await check(mandate(), {}, 'merchant_2026')).to.equal('other_merchant')
    expect(await check(mandate({ checkout: vector.checkout }))).to.equal('malformed')
    const unreadable = { ...vector.checkout, ap2: { merchant_authorization: { toString: 1 } } }
    expect(await check(mandate({ checkout: unreadable }))).to.equal('malformed')
  })

  it('is for the agent whose key it confirms, by an issuer that the agent declares', async () => {
    expect(await check(mandate({ holder: stranger }))).to.equal('other_holder')
    expect(await check(mandate({ by: stranger }))).to.equal('forged')
    expect(await check(mandate({ kid: 'platform-2' }))).to.equal('unknown_issuer')
    expect(await check(mandate({ by: agent, kid: agent.kid }))).to.equal('covers')
  })

  it('is by the declared key that it names, however many are declared before that', async () => {
    const others = Array.from({ length: 10 }, (_, nth) => ({ ...stranger.jwk, kid: `other-${nth}` }))
    const issuerKeys = [{ ...platform.jwk, kid: 'platform-1' }]
    const keys = await importProofKeys([{ kid: agent.kid, jwk: { ...agent.jwk }, revokedAt: null }])
    const declarations = { ucp: { issuerKeys: others }, ap2: { issuerKeys } }
    expect(await check(mandate(), { holder: { keys, declarations } })).to.equal('covers')
  })

  it('counts until it or the checkout expires', async () => {
    expect(await check(mandate({ exp: SECONDS }))).to.equal('expired')
    const expires = (seconds: number) => new Date(seconds * 1000).toISOString()
    const offered = (until: number) => mandate({ checkout: signCheckout({ expires_at: expires(until) }) })
    expect(await check(offered(SECONDS + 1))).to.equal('covers')
    expect(await check(offered(SECONDS))).to.equal('expired')
  })

  it('without exactly one total, or which is an opaque token, is malformed', async () => {
    const totals = [...vector.checkout.totals, { type: 'total', amount: 1 }]
    expect(await check(mandate({ checkout: signCheckout({ totals }) }))).to.equal('malformed')
    expect(await check('examplePaymentMethodToken')).to.equal('malformed')
  })
})
