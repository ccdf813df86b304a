import { constants, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { importProofKeys } from '../../../../server/external/proofs/importProofKeys.ts'
import { createAgentKey } from '../../../builders/createAgentKey.ts'
import { signAsTapSample } from '../../../builders/signAsTapSample.ts'
import { type SignedAs, signTap } from '../../../builders/signTap.ts'
import { judge, type Presented } from './checking.ts'

const { tap: vector } = JSON.parse(readFileSync('test/vectors/mandates.json', 'utf8'))
const SECONDS = 1_790_000_000

describe('a mandate of the Trusted Agent Protocol', () => {
  const key = createAgentKey()
  const stranger = createAgentKey()
  const declarations = { tap: { publicKey: { ...key.jwk } } }
  const signed = (varied: Partial<SignedAs> = {}) =>
    signTap(key, { created: SECONDS, expires: SECONDS + vector.seconds, ...varied })
  const check = (metadata: object, varied: Partial<Presented> = {}, isFromHeader = false) =>
    judge({
      mandate: { protocol: 'tap', isFromHeader },
      holder: { declarations },
      request: { transactionValue: 20, currency: 'USD' },
      metadata,
      now: SECONDS * 1000,
      ...varied,
    })

  it('in the form of the sample agent covers a payment of the declared key', async () => {
    expect(await check(signed())).to.equal('covers')
    const proper = signed({ separator: ';', keyName: 'keyid' })
    expect(await check(proper)).to.equal('covers')
  })

  it('of the sample agent covers a page with a query, which it calls a part of the path', async () => {
    const url = 'https://shop.example/checkout?cart=7'
    const tag = 'agent-payer-auth'
    const sample = signAsTapSample(key, { url, created: SECONDS, keyId: 'primary', tag })
    expect(await check({ ...sample, targetUri: url })).to.equal('covers')
    expect(await check({ ...sample, targetUri: `${url}0` })).to.equal('other_holder')
    const proper = { ...signed(), targetUri: url }
    expect(await check(proper)).to.equal('covers')
  })

  it('is for the authority without the default port of its scheme', async () => {
    const url = 'HTTPS://Shop.Example:443/checkout'
    expect(await check({ ...signed(), targetUri: url })).to.equal('covers')
    const other = { ...signed(), targetUri: 'https://shop.example:8443/checkout' }
    expect(await check(other)).to.equal('other_merchant')
  })

  it('counts with the declared key as JWK, as PEM, as DER, in base64, and with a key of the agent', async () => {
    const raw = Buffer.from(key.jwk.x, 'base64url').toString('base64')
    expect(Buffer.from(vector.publicKey, 'base64').length).to.equal(32)
    expect(await check(signed(), { holder: { declarations: { tap: { publicKey: raw } } } })).to.equal(
      'covers',
    )
    const der = createPublicKey({ key: key.jwk, format: 'jwk' }).export({ type: 'spki', format: 'der' })
    const spki = { tap: { publicKey: der.toString('base64') } }
    expect(await check(signed(), { holder: { declarations: spki } })).to.equal('covers')
    const keys = await importProofKeys([{ kid: key.kid, jwk: { ...key.jwk }, revokedAt: null }])
    expect(await check(signed({ keyid: key.kid }), { holder: { keys } })).to.equal('covers')
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const pem = rsa.publicKey.export({ type: 'spki', format: 'pem' }) as string
    const saltLength = constants.RSA_PSS_SALTLEN_MAX_SIGN
    const padding = constants.RSA_PKCS1_PSS_PADDING
    const byRsa = signed({
      alg: 'rsa-pss-sha256',
      signText: (text) => sign('sha256', Buffer.from(text), { key: rsa.privateKey, padding, saltLength }),
    })
    expect(await check(byRsa, { holder: { declarations: { tap: { publicKey: pem } } } })).to.equal('covers')
  })

  it('is unsupported with a declared key that cannot be read, and found in headers no mandate', async () => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' })
    const unread = ['', 'key-7', 'AAAA', {}, publicKey.export({ type: 'spki', format: 'pem' })]
    for (const publicKey of unread) {
      const holder = { declarations: { tap: { publicKey } } }
      expect(await check(signed(), { holder })).to.equal('unsupported')
      expect(await check(signed(), { holder }, true)).to.equal('absent')
    }
  })

  it('with the intent to browse does not cover a payment', async () => {
    const browsing = signed({ tag: vector.tags[0] })
    expect(await check(browsing)).to.equal('other_amount')
    const request = { transactionValue: undefined, currency: undefined }
    expect(await check(browsing, { request })).to.equal('covers')
    expect(await check(signed({ tag: 'web-bot-auth' }))).to.equal('unsupported')
  })

  it('is for one merchant and one page', async () => {
    const elsewhere = { endpoint: { host: 'other.example', authorities: ['other.example'] } }
    expect(await check(signed(), elsewhere)).to.equal('other_merchant')
    const moved = { ...signed(), targetUri: 'https://shop.example/other' }
    expect(await check(moved)).to.equal('other_holder')
    expect(await check(signed({ components: ['@authority'] }))).to.equal('malformed')
  })

  it('of another key than the declared one does not count', async () => {
    expect(await check(signTap(stranger, { created: SECONDS, expires: SECONDS + 60 }))).to.equal(
      'other_holder',
    )
    expect(await check(signed(), { holder: { declarations: {} } })).to.equal('other_holder')
  })

  it('counts for its eight minutes only', async () => {
    expect(await check(signed(), { now: (SECONDS + vector.seconds) * 1000 })).to.equal('expired')
    expect(await check(signed({ expires: SECONDS + vector.seconds + 1 }))).to.equal('expired')
    expect(await check(signed(), { now: (SECONDS - 61) * 1000 })).to.equal('not_yet_valid')
    const { signature } = signed()
    const later = signed({ created: SECONDS + 1, expires: SECONDS + 400 })
    expect(await check({ ...later, signature })).to.equal('other_holder')
  })

  it('found in headers is no mandate without a declared key, or if a key of the agent made it', async () => {
    expect(await check(signed(), {}, true)).to.equal('covers')
    expect(await check(signed(), { holder: { declarations: {} } }, true)).to.equal('absent')
    const keys = await importProofKeys([{ kid: key.kid, jwk: { ...key.jwk }, revokedAt: null }])
    expect(await check(signed({ keyid: key.kid }), { holder: { keys, declarations } }, true)).to.equal(
      'absent',
    )
  })

  it('that is missing or in another form is malformed', async () => {
    for (const metadata of [
      {},
      { ...signed(), signature: 'sig2=:x:' },
      { ...signed(), signatureInput: 'sig2=()' },
    ])
      expect(await check(metadata)).to.equal('malformed')
    const twice = signed({ keyName: 'tag' })
    expect(await check(twice)).to.equal('malformed')
  })
})
