import { readFileSync } from 'node:fs'
import { encodeBase64 } from '@svc/core/bytes.ts'
import { expect } from 'chai'
import { privateKeyToAccount } from 'viem/accounts'
import { signX402Payment } from '../../../builders/signX402Payment.ts'
import { judge, type Presented } from './checking.ts'

const { x402: vector } = JSON.parse(readFileSync('test/vectors/mandates.json', 'utf8'))
const payer = privateKeyToAccount(`0x${'11'.repeat(32)}`)
const stranger = privateKeyToAccount(`0x${'22'.repeat(32)}`)
const NOW = vector.validAfter * 1000

type Payment = Awaited<ReturnType<typeof signX402Payment>>

describe('a payment of x402', () => {
  let payment: Payment
  before(async () => {
    payment = await signX402Payment(payer)
  })

  const check = (value: unknown, varied: Partial<Presented> = {}, payee?: string) =>
    judge({
      mandate: { protocol: 'x402', value: typeof value === 'string' ? value : JSON.stringify(value), payee },
      holder: { accounts: [payer.address.toLowerCase()] },
      request: { transactionValue: vector.amount, currency: vector.currency },
      now: NOW,
      ...varied,
    })
  /** Checks it as the payment in a header, for an agent that declares the payer's wallet. */
  const inHeader = (value: unknown, varied: Partial<Presented> = {}) =>
    judge({
      mandate: {
        ...{ protocol: 'x402', isFromHeader: true },
        value: typeof value === 'string' ? value : JSON.stringify(value),
      },
      holder: { declarations: { x402: { walletAddress: payer.address } } },
      request: { transactionValue: vector.amount, currency: vector.currency },
      now: NOW,
      ...varied,
    })
  const altered = (changes: object): object => ({
    ...payment,
    payload: { ...payment.payload, authorization: { ...payment.payload.authorization, ...changes } },
  })

  for (const version of ['v1', 'v2']) {
    it(`as the specification prints it (${version}) covers the amount, payee and time that it states`, async () => {
      const holder = { accounts: [vector.payer.toLowerCase()] }
      const varied = { holder, now: vector.validAfter * 1000 }
      expect(await check(vector[version], varied, vector.payTo)).to.equal('covers')
      const more = { request: { transactionValue: 0.02, currency: 'USDC' } }
      expect(await check(vector[version], { ...varied, ...more })).to.equal('other_amount')
      expect(await check(vector[version], { ...varied, now: vector.validBefore * 1000 })).to.equal('expired')
      expect(await check(vector[version], { now: NOW })).to.equal('other_holder')
    })
  }

  it('covers its amount, in JSON and in base64, with an account of the agent or the declared wallet', async () => {
    expect(await check(payment)).to.equal('covers')
    expect(await check(encodeBase64(new TextEncoder().encode(JSON.stringify(payment))))).to.equal('covers')
    const holder = { declarations: { x402: { walletAddress: payer.address } } }
    expect(await check(payment, { holder })).to.equal('covers')
  })

  it('of another amount or currency than the request does not cover it', async () => {
    for (const transactionValue of [0.009999, 0.010001, 10_000])
      expect(await check(payment, { request: { transactionValue, currency: 'USDC' } })).to.equal(
        'other_amount',
      )
    const inDollars = { request: { transactionValue: 0.01, currency: 'USD' } }
    expect(await check(payment, inDollars)).to.equal('other_currency')
    expect(await check(payment, { request: { transactionValue: undefined, currency: undefined } })).to.equal(
      'covers',
    )
  })

  it('covers a price that was added up from others', async () => {
    const paid = await signX402Payment(payer, { value: '300000' })
    const request = { transactionValue: 0.1 + 0.2, currency: 'USDC' }
    expect(request.transactionValue).to.not.equal(0.3)
    expect(await check(paid, { request })).to.equal('covers')
  })

  it('to another payee than the counterparty expects does not cover the request', async () => {
    expect(await check(payment, {}, payment.accepted.payTo.toLowerCase())).to.equal('covers')
    expect(await check(payment, {}, stranger.address)).to.equal('other_merchant')
  })

  it('of another account than those of the agent does not count', async () => {
    expect(await check(await signX402Payment(stranger))).to.equal('other_holder')
  })

  it('does not count before or after its time', async () => {
    const { validAfter, validBefore } = vector
    expect(await check(payment, { now: (validBefore - 1) * 1000 })).to.equal('covers')
    expect(await check(payment, { now: validBefore * 1000 })).to.equal('expired')
    expect(await check(payment, { now: (validAfter - 61) * 1000 })).to.equal('not_yet_valid')
  })

  it('in which anything signed was altered is forged', async () => {
    const changes = [
      { value: '10001' },
      { to: stranger.address },
      { validBefore: '1840672154' },
      { validAfter: '0' },
      { nonce: `0x${'00'.repeat(32)}` },
      { from: stranger.address },
    ]
    for (const change of changes) expect(await check(altered(change))).to.equal('forged')
    const elsewhere = {
      ...payment.accepted,
      network: 'eip155:8453',
      asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    }
    expect(await check({ ...payment, accepted: elsewhere })).to.equal('forged')
  })

  it('whose unsigned terms differ from the signed ones does not count', async () => {
    const cheaper = { ...payment, accepted: { ...payment.accepted, amount: '1' } }
    expect(await check(cheaper)).to.equal('other_amount')
    const diverted = { ...payment, accepted: { ...payment.accepted, payTo: stranger.address } }
    expect(await check(diverted)).to.equal('other_amount')
  })

  it('that only its chain can verify is refused in the body, and no mandate in a header', async () => {
    const { accepted } = payment
    const unknown = [
      { ...payment, accepted: { ...accepted, scheme: 'upto' } },
      { ...payment, accepted: { ...accepted, network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' } },
      { ...payment, accepted: { ...accepted, asset: stranger.address } },
      { ...payment, payload: { transaction: 'AAAA' } },
      { ...payment, payload: { ...payment.payload, signature: `${payment.payload.signature}00` } },
    ]
    for (const one of unknown) {
      expect(await check(one)).to.equal('unsupported')
      expect(await inHeader(one)).to.equal('absent')
    }
  })

  it('in a header is compared only if the agent declares a wallet', async () => {
    expect(await inHeader(payment)).to.equal('covers')
    const holder = { accounts: [payer.address.toLowerCase()], declarations: { x402: {} } }
    expect(await inHeader(payment, { holder })).to.equal('absent')
    expect(await inHeader(await signX402Payment(stranger))).to.equal('other_holder')
    const request = { transactionValue: vector.amount + 1, currency: vector.currency }
    expect(await inHeader(payment, { request })).to.equal('other_amount')
  })

  it('in a header is no mandate if it cannot be read, or if its payer is no account that signs', async () => {
    for (const text of ['e30=', 'not base64', '{"x402Version":3}'])
      expect(await inHeader(text)).to.equal('absent')
    // Version 1 does not name the token, so a payment in another one looks forged.
    const { signature, authorization } = payment.payload
    const first = { x402Version: 1, scheme: 'exact', network: 'base', payload: { signature, authorization } }
    expect(await check(first)).to.equal('forged')
    expect(await inHeader(first)).to.equal('absent')
    expect(await inHeader(altered({ from: stranger.address }))).to.equal('absent')
  })

  it('that is none is malformed', async () => {
    for (const text of ['{', 'e30=', '[]', 'not base64', '{"x402Version":3}'])
      expect(await check(text)).to.equal('malformed')
  })
})
