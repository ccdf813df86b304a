import { readFileSync } from 'node:fs'
import { canonicaliseJson } from '@svc/core/canonicaliseJson.ts'
import { expect } from 'chai'
import { importProofKeys } from '../../../../server/external/proofs/importProofKeys.ts'
import { createAgentKey } from '../../../builders/createAgentKey.ts'
import { signText } from '../../../builders/signText.ts'
import { judge, type Presented } from './checking.ts'

const { acp: vector } = JSON.parse(readFileSync('test/vectors/mandates.json', 'utf8'))
const EXPIRES = Date.parse(vector.allowance.expires_at)

describe('a delegated payment token of ACP', () => {
  const key = createAgentKey('P-256')
  const stranger = createAgentKey()
  const { token, allowance, payment_data } = vector
  const completion = { payment_data }
  const check = (value: object | string, varied: Partial<Presented> = {}, payee?: string) =>
    judge({
      mandate: { protocol: 'acp', value: typeof value === 'string' ? value : JSON.stringify(value), payee },
      request: { transactionValue: 20, currency: 'USD' },
      now: EXPIRES - 1000,
      ...varied,
    })
  const holding = async () => ({
    keys: await importProofKeys([{ kid: key.kid, jwk: { ...key.jwk }, revokedAt: null }]),
  })

  it('with the allowance that the specification prints covers up to its amount, which is only stated', async () => {
    const stated = (transactionValue: number, currency = 'USD') =>
      check({ token, allowance }, { request: { transactionValue, currency } })
    expect(await stated(20)).to.equal('is stated')
    expect(await stated(0)).to.equal('is stated')
    expect(await stated(20.01)).to.equal('other_amount')
    expect(await stated(20, 'EUR')).to.equal('other_currency')
  })

  it('covers its merchant until it expires', async () => {
    expect(await check({ token, allowance }, {}, allowance.merchant_id)).to.equal('is stated')
    expect(await check({ token, allowance }, {}, 'other_store')).to.equal('other_merchant')
    expect(await check({ token, allowance }, { now: EXPIRES })).to.equal('expired')
  })

  it('is held by the agent whose key signed the request that presents it', async () => {
    const holder = await holding()
    const signature = signText(key, canonicaliseJson(completion)).toString('base64url')
    const signed = { token, allowance, completion, signature }
    expect(await check(signed, { holder })).to.equal('is stated')
    const forged = signText(stranger, canonicaliseJson(completion)).toString('base64url')
    expect(await check({ ...signed, signature: forged }, { holder })).to.equal('other_holder')
    expect(await check(signed, { holder: { keys: [] } })).to.equal('other_holder')
    const altered = { ...completion, order_notes: 'x' }
    expect(await check({ ...signed, completion: altered }, { holder })).to.equal('other_holder')
    const broken = `{"token":"t","allowance":${JSON.stringify(allowance)},"completion":{"a":"\\ud800"},"signature":"AA"}`
    expect(await check(broken, { holder })).to.equal('other_holder')
  })

  it('is the one that the request presents', async () => {
    expect(await check({ token, allowance, completion })).to.equal('is stated')
    expect(await check({ token: 'vt_other', allowance, completion })).to.equal('forged')
  })

  it('without an allowance is malformed', async () => {
    const { expires_at: _, ...endless } = allowance
    const faulty = ['x', {}, { token }, { token, allowance: endless }, { allowance }]
    for (const one of faulty) expect(await check(one)).to.equal('malformed')
  })
})
