import type { IntentClaims } from '@svc/core/signing/intentClaims.ts'
import { expect } from 'chai'
import { createAgentKey } from '../../../builders/createAgentKey.ts'
import { signIntent } from '../../../builders/signAsAgent.ts'
import { AUDIENCE, NOW, openProofs, SECONDS, SVC_ID, SVCE_ID } from './openProofs.ts'

describe('verifyIntentProof', () => {
  let proofs: Awaited<ReturnType<typeof openProofs>>

  before(async () => {
    proofs = await openProofs()
  })

  const claims = (varied: Partial<IntentClaims> = {}): IntentClaims => ({
    ...{ iss: SVC_ID, aud: SVCE_ID, iat: SECONDS, exp: SECONDS + 60, jti: 'j'.repeat(22) },
    ...varied,
  })
  const faultOf = async (intentProof: string, more?: Parameters<typeof proofs.check>[1]) =>
    (await proofs.check({ intentProof }, more)).fault

  it('accepts a proof by each kind of key, addressed by identifier or origin', async () => {
    for (const key of [proofs.ed25519, proofs.p256]) {
      for (const aud of [SVCE_ID, 'https://shop.example', 'https://api.shop.example:8443']) {
        const finding = await proofs.check({ intentProof: signIntent(key, claims({ aud })) })
        expect(finding).to.include({ grade: 'signature', fault: null, kid: key.kid })
        expect(finding.uses).to.deep.equal([
          { key: `${key.kid} ${'j'.repeat(22)}`, expiresAt: (SECONDS + 120) * 1000, hasExpired: false },
        ])
      }
    }
  })

  it('accepts facts that the counterparty states in the same way, and refuses any other', async () => {
    const committed = { purpose: 'shopping:buy', amount: '12.50', currency: 'eur', resource: '/orders/7' }
    const intentProof = signIntent(proofs.ed25519, claims(committed))
    const stated = { purpose: 'Shopping.Buy', transactionValue: 12.5, currency: 'EUR', resource: '/orders/7' }
    expect((await proofs.check({ ...stated, intentProof })).grade).to.equal('signature')
    for (const changes of [
      { transactionValue: 12.51 },
      { transactionValue: undefined },
      { currency: 'USD' },
      { purpose: 'shopping.sell' },
      { resource: '/orders/8' },
    ]) {
      const { fault } = await proofs.check({ ...stated, ...changes, intentProof })
      expect(fault, JSON.stringify(changes)).to.equal('other_facts')
    }
  })

  for (const [what, build, fault] of [
    ['of another agent', () => [claims({ iss: 'SVC-0000000000000000000000' })], 'other_agent'],
    ['for another endpoint', () => [claims({ aud: 'SVCE-0000000000000000000000' })], 'other_audience'],
    ['made in the future', () => [claims({ iat: SECONDS + 61, exp: SECONDS + 100 })], 'not_yet_valid'],
    ['that lasts longer than a minute', () => [claims({ exp: SECONDS + 61 })], 'long_lived'],
    ['that expires before it is made', () => [claims({ exp: SECONDS - 1 })], 'malformed'],
    [
      'without an identifier of its own',
      () => [claims({ jti: undefined as unknown as string })],
      'malformed',
    ],
    ['of another type', () => [claims(), { typ: 'JWT' }], 'malformed'],
    ['without a signature algorithm', () => [claims(), { alg: 'none' }], 'malformed'],
    ['that names another algorithm', () => [claims(), { alg: 'ES256' }], 'other_algorithm'],
    ['that names an unknown key', () => [claims(), { kid: createAgentKey().kid }], 'key_unknown'],
  ] as const) {
    it(`refuses a proof ${what}`, async () => {
      const [payload, header] = build() as [IntentClaims, Record<string, unknown>?]
      expect(await faultOf(signIntent(proofs.ed25519, payload, header))).to.equal(fault)
    })
  }

  it('refuses a proof by a revoked key, by another key, and one that is no token', async () => {
    expect(await faultOf(signIntent(proofs.revoked, claims()))).to.equal('key_revoked')
    const stolenName = signIntent(createAgentKey(), claims(), { kid: proofs.ed25519.kid })
    expect(await faultOf(stolenName)).to.equal('forged')
    expect(await faultOf('garbage')).to.equal('malformed')
  })

  it('tells that a proof has expired', async () => {
    const { uses } = await proofs.check(
      { intentProof: signIntent(proofs.ed25519, claims()) },
      { audience: AUDIENCE, now: NOW + 60_000 },
    )
    expect(uses[0]?.hasExpired).to.equal(true)
  })

  it('makes the whole request wrong if it does not hold, whatever else is presented', async () => {
    const good = signIntent(proofs.ed25519, claims())
    expect((await proofs.check({ intentProof: good, agentToken: 'garbage' })).fault).to.equal('malformed')
  })
})
