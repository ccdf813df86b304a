import { createHmac, generateKeyPairSync } from 'node:crypto'
import { createIssuerKeys } from '@svc/client/receipts/createIssuerKeys.ts'
import { type ReceiptCheck, verifyReceipt } from '@svc/client/receipts/verifyReceipt.ts'
import { expect } from 'chai'
import fc from 'fast-check'
import { createReceiptSigner } from '../../../server/external/keys/receiptSigner.ts'
import { RECEIPT_CLAIMS } from '../../builders/receiptClaims.ts'
import { AUDIENCE, ISSUER, NOW, openIssuer } from './openIssuer.ts'

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

describe('verifyReceipt', () => {
  const issuer = openIssuer()
  const check: ReceiptCheck = { issuer: ISSUER, keys: issuer.keys, audience: AUDIENCE, now: NOW }
  const verify = (receipt: unknown, more: Partial<ReceiptCheck> = {}) =>
    verifyReceipt(receipt, { ...check, ...more })
  const reasonOf = async (receipt: unknown, more: Partial<ReceiptCheck> = {}) =>
    (await verify(receipt, more)).reason

  it('returns the claims of a receipt that holds', async () => {
    expect(await verify(issuer.issue())).to.deep.equal({ ok: true, reason: null, claims: RECEIPT_CLAIMS })
  })

  it('refuses another issuer, audience, agent or key, and a time outside the receipt’s', async () => {
    const hour = 3_600_000
    const cases: [reason: string, fields: object, more: Partial<ReceiptCheck>][] = [
      ['other_issuer', { iss: 'https://other.example' }, {}],
      ['other_issuer', {}, { issuer: `${ISSUER}/` }],
      ['other_audience', { aud: 'SVCE-9' }, {}],
      ['other_audience', {}, { audience: ['SVCE-8', 'SVCE-9'] }],
      ['other_agent', {}, { agentId: 'SVC-9' }],
      ['other_key', {}, { keyThumbprint: 'x'.repeat(43) }],
      ['other_key', { cnf: undefined }, { keyThumbprint: RECEIPT_CLAIMS.cnf.jkt }],
      ['not_yet_valid', {}, { now: NOW - hour }],
      ['expired', {}, { now: NOW + hour }],
      ['not_yet_valid', {}, { now: Number.NaN }],
      ['not_yet_valid', {}, { now: NOW + hour, skewSeconds: Number.NaN }],
      ['other_audience', {}, { audience: undefined as unknown as string }],
    ]
    for (const [reason, fields, more] of cases) {
      expect(await verify(issuer.issue(fields), more), reason).to.deep.equal({
        ok: false,
        reason,
        claims: null,
      })
    }
  })

  it('accepts one of several audiences, the agent and the key that were expected, and a small difference of the clocks', async () => {
    const accepted: Partial<ReceiptCheck>[] = [
      { audience: ['SVCE-9', AUDIENCE] },
      { agentId: RECEIPT_CLAIMS.sub, keyThumbprint: RECEIPT_CLAIMS.cnf.jkt },
      { now: RECEIPT_CLAIMS.iat * 1000 - 30_000 },
      { now: RECEIPT_CLAIMS.exp * 1000 + 29_999 },
    ]
    for (const more of accepted) expect(await reasonOf(issuer.issue(), more)).to.equal(null)
    expect(await reasonOf(issuer.issue(), { now: RECEIPT_CLAIMS.exp * 1000, skewSeconds: 0 })).to.equal(
      'expired',
    )
  })

  it('accepts no verdict but a grant, unless it is asked to', async () => {
    for (const recommendation of ['deny', 'step_up_required', 'audit'] as const) {
      const receipt = issuer.issue({ recommendation, status: undefined })
      expect(await reasonOf(receipt), recommendation).to.equal('not_granted')
      expect(await reasonOf(receipt, { accept: ['grant', recommendation] })).to.equal(null)
    }
  })

  it('refuses what another key, another algorithm or no key has signed', async () => {
    const other = createReceiptSigner(generateKeyPairSync('ed25519').privateKey)
    const [, payload = ''] = issuer.issue().split('.')
    const { kid, x } = issuer.signer.publicKey
    const forge = (header: object, signature: string) => `${encode(header)}.${payload}.${signature}`
    const typ = 'svc-verdict+jwt'
    const byOther = other.sign(typ, RECEIPT_CLAIMS).split('.')[2] ?? ''
    const text = `${encode({ alg: 'HS256', kid, typ })}.${payload}`
    const hmac = createHmac('sha256', Buffer.from(x, 'base64url')).update(text).digest('base64url')
    expect(await reasonOf(other.sign(typ, RECEIPT_CLAIMS))).to.equal('unknown_key')
    expect(await reasonOf(forge({ alg: 'EdDSA', kid, typ }, byOther))).to.equal('signature_mismatch')
    expect(await reasonOf(forge({ alg: 'ES256', kid, typ }, byOther))).to.equal('wrong_algorithm')
    expect(await reasonOf(`${text}.${hmac}`)).to.equal('malformed')
    expect(await reasonOf(forge({ alg: 'none', kid, typ }, ''))).to.equal('malformed')
    expect(await reasonOf(forge({ alg: 'EdDSA', typ }, byOther))).to.equal('unknown_key')
    expect(await reasonOf(forge({ alg: 'EdDSA', kid, typ, crit: ['exp'] }, byOther))).to.equal('malformed')
  })

  it('refuses every other kind of token that the issuer signs', async () => {
    for (const type of ['JWT', 'at+jwt', 'agent+jwt', 'statuslist+jwt']) {
      expect(await reasonOf(issuer.issue({}, type)), type).to.equal('wrong_type')
    }
  })

  it('refuses a receipt with any character changed, added or removed', async () => {
    const receipt = issuer.issue()
    for (let at = 0; at < receipt.length; at += 1) {
      const changed = receipt[at] === 'A' ? 'B' : 'A'
      expect(await reasonOf(receipt.slice(0, at) + changed + receipt.slice(at + 1)), String(at)).to.not.equal(
        null,
      )
    }
    for (const text of [` ${receipt}`, `${receipt}\n`, `${receipt}.`, `${receipt}=`, receipt.slice(0, -1)]) {
      expect(await reasonOf(text)).to.not.equal(null)
    }
  })

  it('refuses anything else, however long, without an exception', async () => {
    const values = [
      undefined,
      null,
      7,
      {},
      [],
      '',
      '.',
      '..',
      'a.b.c',
      'a'.repeat(10_000_000),
      issuer.issue({ x: 'a'.repeat(40_000) }),
    ]
    for (const value of values) expect(await reasonOf(value)).to.equal('malformed')
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.anything()), async (value) => {
        expect(await reasonOf(value)).to.equal('malformed')
      }),
      { numRuns: 200 },
    )
  })
})

describe('the keys of an issuer', () => {
  const open = () => {
    const issuer = openIssuer()
    const { world } = issuer
    const keys = createIssuerKeys({ issuer: ISSUER, fetch: issuer.fetch, now: () => world.now })
    const reasonOf = async (receipt: string) =>
      (await verifyReceipt(receipt, { issuer: ISSUER, keys, audience: AUDIENCE, now: NOW })).reason
    return { ...issuer, keys, reasonOf }
  }

  it('belong to an issuer, which must not be missing', () => {
    for (const missing of ['', undefined as unknown as string]) {
      expect(() => createIssuerKeys({ issuer: missing })).to.throw('issuer is missing')
    }
  })

  it('are fetched once, for any number of receipts', async () => {
    const { issue, reasonOf, world } = open()
    const reasons = await Promise.all(Array.from({ length: 20 }, () => reasonOf(issue())))
    expect(new Set(reasons)).to.deep.equal(new Set([null]))
    expect(world.fetches).to.deep.equal([`${ISSUER}/.well-known/jwks.json`])
  })

  it('are fetched again for a new key, but at most every half minute for invented ones', async () => {
    const { issue, publish, signer, reasonOf, world } = open()
    await reasonOf(issue())
    const rotated = createReceiptSigner(generateKeyPairSync('ed25519').privateKey)
    publish(signer.publicKey, rotated.publicKey)
    const byNew = rotated.sign('svc-verdict+jwt', RECEIPT_CLAIMS)
    expect(await reasonOf(byNew)).to.equal('unknown_key')
    expect(world.fetches).to.have.length(1)
    world.now += 30_000
    expect([await reasonOf(byNew), await reasonOf(issue())]).to.deep.equal([null, null])
    expect(world.fetches).to.have.length(2)
  })

  it('are forgotten once the issuer no longer publishes them', async () => {
    const { issue, publish, keys, signer, world } = open()
    expect(await keys.find(signer.publicKey.kid)).to.have.property('verifies')
    publish()
    world.now += 600_000
    await keys.find(signer.publicKey.kid)
    await new Promise(setImmediate)
    world.now += 30_000
    expect(await keys.find(signer.publicKey.kid)).to.equal(undefined)
    expect(issue()).to.be.a('string')
  })

  it('stay valid while the issuer is unreachable, and are tried again', async () => {
    const { issue, reasonOf, world } = open()
    const url = `${ISSUER}/.well-known/jwks.json`
    const published = world.documents.get(url) ?? ''
    world.documents.set(url, new Error('unreachable'))
    expect(await reasonOf(issue())).to.equal('keys_unavailable')
    expect(await reasonOf(issue())).to.equal('keys_unavailable')
    expect(world.fetches).to.have.length(1)
    world.documents.set(url, published)
    world.now += 1_000
    expect(await reasonOf(issue())).to.equal(null)
    world.documents.set(url, new Error('unreachable'))
    world.now += 86_400_000
    expect(await reasonOf(issue())).to.equal(null)
  })

  it('are only those of receipts, whatever else the issuer publishes', async () => {
    const { issue, publish, reasonOf, signer } = open()
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const other = { ...publicKey.export({ format: 'jwk' }), kid: signer.publicKey.kid, alg: 'ES256' }
    publish({ ...signer.publicKey, alg: 'Ed448' }, other, {}, { kty: 'oct', kid: 'a' })
    expect(await reasonOf(issue())).to.equal('unknown_key')
  })
})
