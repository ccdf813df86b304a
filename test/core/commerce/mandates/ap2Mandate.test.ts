import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type AgentKey, computeKeyThumbprint } from '@svc/core/signing/computeKeyThumbprint.ts'
import { expect } from 'chai'
import { importProofKeys } from '../../../../server/external/proofs/importProofKeys.ts'
import { createAgentKey } from '../../../builders/createAgentKey.ts'
import { signDelegation, signJws } from '../../../builders/signDelegation.ts'
import { check as examine, judge, type Presented } from './checking.ts'

const { ap2: vector } = JSON.parse(readFileSync('test/vectors/mandates.json', 'utf8'))
const SECONDS = 1_790_000_000

type Key = ReturnType<typeof createAgentKey>

const holding = async (jwk: AgentKey, issuerKeys: object[], isRevoked = false) => ({
  keys: await importProofKeys([
    { kid: computeKeyThumbprint(jwk), jwk: { ...jwk }, revokedAt: isRevoked ? 1 : null },
  ]),
  declarations: { ap2: { issuerKeys } },
})

const ORDER_OF_P256 = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

/** The last token of a chain with what is before it, and its disclosures. */
function splitLast(value: string) {
  const at = value.lastIndexOf('~~') + 2
  const end = value.indexOf('~', at)
  return { jws: value.slice(0, end), rest: value.slice(end) }
}

/** The other signature that holds for the same text and key: that of ECDSA can be written in two ways. */
function negate(jws: string): string {
  const bytes = Buffer.from(jws.slice(jws.lastIndexOf('.') + 1), 'base64url')
  const s = ORDER_OF_P256 - BigInt(`0x${bytes.subarray(32).toString('hex')}`)
  const hex = bytes.subarray(0, 32).toString('hex') + s.toString(16).padStart(64, '0')
  return Buffer.from(hex, 'hex').toString('base64url')
}

describe('a mandate of AP2', () => {
  const issuer = createAgentKey('P-256')
  const agent = createAgentKey('P-256')
  const stranger = createAgentKey('P-256')
  const issuerKey = { ...issuer.jwk, kid: 'provider-1' }
  const payee = { id: 'merchant_1', name: 'Shop', website: 'https://shop.example' }
  const payment = {
    vct: 'mandate.payment.1',
    ...{ transaction_id: 'tx', payee, payment_amount: { amount: 19_900, currency: 'USD' } },
    payment_instrument: { id: 'stub', type: 'card' },
  }
  const range = { type: 'payment.amount_range', currency: 'USD', max: 20_000, min: 0 }
  const payees = { type: 'payment.allowed_payees', allowed: [payee] }

  /** What differs from a chain that covers 199 USD at shop.example. */
  type Varied = {
    holder?: Key
    signer?: Key
    root?: Key
    kid?: string
    constraints?: object[]
    open?: object
    closed?: object
  }
  const chain = ({
    holder = agent,
    signer = holder,
    root = issuer,
    kid = 'provider-1',
    ...varied
  }: Varied = {}) =>
    signDelegation([
      {
        ...{ by: root, header: { kid } },
        mandate: {
          ...{ vct: 'mandate.payment.open.1', constraints: varied.constraints ?? [range, payees] },
          ...{ cnf: { jwk: holder.jwk }, iat: SECONDS - 60, exp: SECONDS + 60, ...varied.open },
        },
      },
      { by: signer, payload: { iat: SECONDS }, mandate: { ...payment, ...varied.closed } },
    ])
  const check = async (value: string, varied: Partial<Presented> = {}, payeeName?: string) =>
    judge({
      mandate: { protocol: 'ap2', value, payee: payeeName },
      holder: await holding(agent.jwk, [issuerKey]),
      request: { transactionValue: 199, currency: 'USD' },
      now: SECONDS * 1000,
      ...varied,
    })

  for (const kind of ['payment', 'checkout']) {
    it(`as the specification prints it (${kind}) covers its amount, merchant and time, for its holder`, async () => {
      const given = {
        holder: await holding(vector.holderKey, [vector.issuerKey]),
        request: { transactionValue: vector.amount, currency: vector.currency },
        endpoint: { host: vector.website, authorities: [vector.website] },
        now: vector.issuedAt * 1000,
      }
      const value = vector[kind]
      expect(await check(value, given)).to.equal('covers')
      expect(await check(value, given, vector.merchantId)).to.equal('covers')
      expect(await check(value, given, 'merchant_2')).to.equal('other_merchant')
      const request = { transactionValue: vector.amount + 0.01, currency: 'USD' }
      expect(await check(value, { ...given, request })).to.equal('other_amount')
      expect(await check(value, { ...given, now: vector.expiresAt * 1000 })).to.equal('expired')
      const holder = await holding(stranger.jwk, [vector.issuerKey])
      expect(await check(value, { ...given, holder })).to.equal('other_holder')
    })
  }

  it('that is open, without a payment, is none for a payment', async () => {
    const holder = await holding(vector.holderKey, [vector.issuerKey])
    expect(await check(vector.openPayment, { holder, now: vector.issuedAt * 1000 })).to.equal('unsupported')
  })

  it('is the same payment in each signature and key binding of its holder, and another one in each mandate', async () => {
    const paymentOf = async (value: string) => {
      const holder = await holding(agent.jwk, [issuerKey])
      const finding = await examine({ mandate: { protocol: 'ap2', value }, holder, now: SECONDS * 1000 })
      return finding.found === 'valid' ? { ...finding.payment, isProven: finding.isHolderProven } : finding
    }
    const bound = (nonce: string, transaction = 'tx') =>
      signDelegation([
        {
          ...{ by: issuer, header: { kid: 'provider-1' } },
          mandate: { ...payment, transaction_id: transaction, cnf: { jwk: agent.jwk }, exp: SECONDS + 60 },
        },
        { by: agent, header: { typ: 'kb+jwt' }, payload: { iat: SECONDS, nonce }, mandate: {} },
      ])
    const first = await paymentOf(bound('n1'))
    expect(first).to.include({ isProven: true, expiresAt: SECONDS + 60 })
    expect(await paymentOf(bound('n2'))).to.deep.equal(first)
    expect(await paymentOf(bound('n1', 'other'))).to.not.deep.equal(first)
    const [value, other] = [chain(), chain({ closed: { transaction_id: 'other' } })]
    const { jws, rest } = splitLast(value)
    expect(await paymentOf(`${jws.slice(0, jws.lastIndexOf('.'))}.${negate(jws)}${rest}`)).to.deep.equal(
      await paymentOf(value),
    )
    expect(await paymentOf(other)).to.not.deep.equal(await paymentOf(value))
  })

  it('covers exactly its amount, in its currency', async () => {
    expect(await check(chain())).to.equal('covers')
    const stated = (transactionValue: number, currency: string) =>
      check(chain(), { request: { transactionValue, currency } })
    expect(await stated(198.99, 'USD')).to.equal('other_amount')
    expect(await stated(19_900, 'USD')).to.equal('other_amount')
    expect(await stated(199, 'EUR')).to.equal('other_currency')
  })

  it('covers its merchant only: its website and below it, or the name that the counterparty states', async () => {
    const at = (host: string) => check(chain(), { endpoint: { host, authorities: [host] } })
    expect(await at('api.shop.example')).to.equal('covers')
    expect(await at('othershop.example')).to.equal('other_merchant')
    expect(await check(chain(), {}, 'merchant_1')).to.equal('covers')
    expect(await check(chain(), {}, 'merchant_2')).to.equal('other_merchant')
  })

  it('is for the agent whose key signed it, and for nobody else', async () => {
    expect(await check(chain({ holder: stranger }))).to.equal('other_holder')
    expect(await check(chain({ signer: stranger }))).to.equal('forged')
    const holder = await holding(agent.jwk, [issuerKey], true)
    expect(await check(chain(), { holder })).to.equal('other_holder')
  })

  it('begins with a token of a declared issuer', async () => {
    expect(await check(chain({ kid: 'provider-2' }))).to.equal('unknown_issuer')
    expect(await check(chain({ root: stranger }))).to.equal('forged')
    const holder = await holding(agent.jwk, [])
    expect(await check(chain(), { holder })).to.equal('unknown_issuer')
  })

  it('counts only while each of its tokens is valid', async () => {
    expect(await check(chain({ open: { exp: SECONDS } }))).to.equal('expired')
    expect(await check(chain({ closed: { exp: SECONDS - 1 } }))).to.equal('expired')
    expect(await check(chain({ closed: { iat: SECONDS + 61 } }))).to.equal('not_yet_valid')
    expect(await check(chain({ open: { exp: 'never' } }))).to.equal('expired')
  })

  it('keeps the constraints of the open mandate', async () => {
    const under = (constraint: object) => check(chain({ constraints: [constraint] }))
    expect(await under({ ...range, max: 19_899 })).to.equal('other_amount')
    expect(await under({ ...range, min: 19_901 })).to.equal('other_amount')
    expect(await under({ ...range, currency: 'EUR' })).to.equal('other_currency')
    expect(await under({ ...payees, allowed: [{ ...payee, id: 'merchant_2' }] })).to.equal('other_merchant')
    const dates = { type: 'payment.execution_date' }
    expect(await under({ ...dates, not_after: '2026-09-01T00:00:00Z' })).to.equal('expired')
    expect(await under({ ...dates, not_before: '2027-01-01T00:00:00Z' })).to.equal('not_yet_valid')
    expect(await under({ ...range, max: '20000' })).to.equal('malformed')
  })

  it('with a constraint that is not disclosed is malformed', async () => {
    const digest = createHash('sha256').update('withheld').digest('base64url')
    expect(await check(chain({ constraints: [range, { '...': digest }] }))).to.equal('malformed')
    const allowed = [{ '...': digest }, payee]
    expect(await check(chain({ constraints: [{ ...payees, allowed }] }))).to.equal('covers')
  })

  it('that allows a merchant without a name covers no checkout without a merchant', async () => {
    const checkout = signJws(
      stranger,
      { typ: 'JWT' },
      { currency: 'USD', totals: [{ type: 'total', amount: 19_900 }] },
    )
    const hash = createHash('sha256').update(checkout).digest('base64url')
    const closed = { vct: 'mandate.checkout.1', checkout_jwt: checkout, checkout_hash: hash }
    const allowing = (allowed: object[]) =>
      check(chain({ constraints: [{ type: 'checkout.allowed_merchants', allowed }], closed }))
    expect(await allowing([{}])).to.equal('other_merchant')
    expect(await allowing([payee])).to.equal('other_merchant')
    expect(await check(chain({ constraints: [], closed }))).to.equal('covers')
  })

  it('whose type is no text is malformed', async () => {
    const typ = { toString: 1 }
    const header = { kid: 'provider-1', typ }
    expect(await check(signDelegation([{ by: issuer, header, mandate: payment }]))).to.equal('malformed')
    const open = { ...{ vct: 'mandate.payment.open.1', constraints: [] }, cnf: { jwk: agent.jwk } }
    const hops = [
      { by: issuer, header: { kid: 'provider-1' }, mandate: open },
      { by: agent, header: { typ }, mandate: payment },
    ]
    expect(await check(signDelegation(hops))).to.equal('malformed')
  })

  it('in which a disclosure or a token was replaced is malformed or forged', async () => {
    const [open = '', closed = ''] = chain().split('~~')
    const [token = ''] = closed.split('~')
    const cheaper = Buffer.from(JSON.stringify(['salt-1', { ...payment, payee: { id: 'x' } }]))
    expect(await check(`${open}~~${token}~${cheaper.toString('base64url')}~`)).to.equal('malformed')
    const [otherOpen = ''] = chain({ open: { exp: SECONDS + 99 } }).split('~~')
    expect(await check(`${otherOpen}~~${closed}`)).to.equal('malformed')
    for (const text of ['', 'x', `${open}~`, `${open}~~`, closed]) {
      expect(await check(text)).to.be.oneOf(['malformed', 'unsupported'])
    }
  })

  it('that the agent itself signed, or that confirms its key, needs no chain', async () => {
    const mandate = { ...payment, exp: SECONDS + 60 }
    const holder = await holding(agent.jwk, [issuerKey])
    const own = signDelegation([{ by: agent, header: { kid: agent.kid }, mandate }])
    expect(await check(own, { holder })).to.equal('covers')
    const header = { kid: 'provider-1' }
    const bound = { ...mandate, cnf: { jwk: agent.jwk } }
    expect(await check(signDelegation([{ by: issuer, header, mandate: bound }]))).to.equal('covers')
    expect(await check(signDelegation([{ by: issuer, header, mandate }]))).to.equal('other_holder')
  })

  it('of a checkout names that checkout by its hash', async () => {
    const checkout = signJws(
      stranger,
      { typ: 'JWT' },
      { currency: 'USD', totals: [{ type: 'total', amount: 19_900 }], merchant: payee },
    )
    const hash = createHash('sha256').update(checkout).digest('base64url')
    const closed = { vct: 'mandate.checkout.1', checkout_jwt: checkout, checkout_hash: hash }
    expect(await check(chain({ constraints: [], closed }))).to.equal('covers')
    expect(await check(chain({ constraints: [], closed: { ...closed, checkout_hash: 'x' } }))).to.equal(
      'malformed',
    )
  })
})
