import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createLocalJWKSet, exportJWK, generateKeyPair, importJWK, jwtVerify, SignJWT } from 'jose'
import { readSigningKey, type SigningKey } from '../../../../server/external/keys/readSigningKey.ts'
import { createTemporaryFolder } from '../../../harness/runner/createTemporaryFolder.ts'
import { type OpenAccounts, openAccounts, PUBLIC_URL } from './openAccounts.ts'
import { type Person, register } from './person.ts'

const MINUTE_MS = 60_000

describe('access tokens', () => {
  let accounts: OpenAccounts
  let ada: Person
  let key: SigningKey
  let claims: Record<string, unknown>
  let header: { alg: string; typ: string; kid: string }

  before(async () => {
    accounts = await openAccounts()
    ada = await register(accounts, 'ada')
    key = JSON.parse(readFileSync(join(accounts.dataDir, 'access-token-key.json'), 'utf8'))
    const [head, payload] = ada.accessToken.split('.')
    header = decode(head)
    claims = decode(payload)
  })
  after(() => accounts.close())

  const decode = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString())
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const statusOf = async (token: string) => {
    const { status, body } = await accounts.call('GET', '/api/me', { bearer: token })
    return [status, body.code]
  }
  /** A token of the service’s own key with some changes. */
  const signed = async (claimChanges: object, headerChanges: object = {}, by: SigningKey = key) =>
    new SignJWT({ ...claims, ...claimChanges })
      .setProtectedHeader({ ...header, ...headerChanges })
      .sign(await importJWK({ ...by }, 'ES256'), { crit: { x: false } })
  const REFUSED = [401, 'UNAUTHENTICATED']

  it('carry the documented claims', () => {
    const { jti, sid, ...rest } = claims
    expect(header).to.deep.include({ alg: 'ES256', typ: 'at+jwt' })
    const issuedAt = accounts.time.now / 1000
    expect(rest).to.deep.equal({
      iss: PUBLIC_URL,
      aud: `${PUBLIC_URL}/api`,
      sub: ada.userId,
      iat: issuedAt,
      exp: issuedAt + 900,
      token_use: 'access',
      amr: ['pwd'],
      auth_time: issuedAt,
    })
    expect(jti).to.match(/^[0-9a-f-]{36}$/)
    expect(sid).to.match(/^[0-9a-f-]{36}$/)
  })

  it('can be verified with the published keys, which contain nothing private', async () => {
    const published = await accounts.call('GET', '/.well-known/jwks.json')
    expect(published.status).to.equal(200)
    expect(published.text).not.to.include(key.d)
    expect(published.body.keys[0]).to.have.all.keys('kty', 'crv', 'x', 'y', 'kid', 'use', 'alg')
    const { payload } = await jwtVerify(ada.accessToken, createLocalJWKSet(published.body), {
      currentDate: new Date(accounts.time.now),
      issuer: PUBLIC_URL,
    })
    expect(payload.sub).to.equal(ada.userId)
  })

  it('keep the time of the sign-in across a refresh', async () => {
    const bob = await register(accounts, 'bob')
    accounts.time.now += 5 * MINUTE_MS
    const body = { refreshToken: bob.refreshToken }
    const { accessToken } = (await accounts.call('POST', '/api/auth/refresh', { body })).body.data
    const refreshed = decode(accessToken.split('.')[1])
    expect(refreshed.iat - refreshed.auth_time).to.equal(300)
    accounts.time.now -= 5 * MINUTE_MS
  })

  it('are valid for 15 minutes', async () => {
    accounts.time.now += 15 * MINUTE_MS - 1000
    expect((await statusOf(ada.accessToken))[0]).to.equal(200)
    accounts.time.now += 1000
    expect(await statusOf(ada.accessToken)).to.deep.equal(REFUSED)
    accounts.time.now -= 15 * MINUTE_MS
  })

  it('say that they have expired, or their session has ended, only if they are genuine', async () => {
    const messageOf = async (token: string) =>
      (await accounts.call('GET', '/api/me', { bearer: token })).body.message
    const past = { exp: accounts.time.now / 1000 - 1 }
    expect(await messageOf(await signed(past))).to.match(/^The access token has expired/)
    expect(await messageOf(await signed({ sid: randomUUID() }))).to.match(/^The session .* has ended/)
    const { privateKey } = await generateKeyPair('ES256', { extractable: true })
    const forged = await signed(past, {}, (await exportJWK(privateKey)) as SigningKey)
    const notOurs = /^The bearer credential is neither .* nor a valid access token of a full session/
    for (const token of [forged, await signed({ ...past, token_use: 'elevation' }), ada.refreshToken]) {
      expect(await messageOf(token)).to.match(notOurs)
    }
  })

  it('are accepted if the service’s own key signs the same claims again', async () => {
    expect((await statusOf(await signed({})))[0]).to.equal(200)
  })

  for (const [what, claimChanges, headerChanges] of [
    ['a refresh token', { token_use: 'refresh' }, {}],
    ['an interim token', { token_use: 'interim' }, {}],
    ['an elevation token', { token_use: 'elevation' }, {}],
    ['an agent token', { token_use: 'agent' }, {}],
    ['a token without a use', { token_use: undefined }, {}],
    ['another type', {}, { typ: 'JWT' }],
    ['no type', {}, { typ: undefined }],
    ['another issuer', { iss: 'https://other.test' }, {}],
    ['another audience', { aud: 'https://other.test/api' }, {}],
    ['no audience', { aud: undefined }, {}],
    ['no expiry', { exp: undefined }, {}],
    ['a time that has not come', { nbf: 4_000_000_000 }, {}],
    ['a session that does not exist', { sid: randomUUID() }, {}],
    ['another account than the session’s', { sub: randomUUID() }, {}],
    ['an unknown critical header', {}, { crit: ['x'], x: 1 }],
  ] as const) {
    it(`refuse ${what}, despite a valid signature`, async () => {
      expect(await statusOf(await signed(claimChanges, headerChanges))).to.deep.equal(REFUSED)
    })
  }

  it('refuse another key', async () => {
    const { privateKey } = await generateKeyPair('ES256', { extractable: true })
    const other = (await exportJWK(privateKey)) as SigningKey
    expect(await statusOf(await signed({}, {}, other))).to.deep.equal(REFUSED)
  })

  it('refuse a key embedded in the token', async () => {
    const { privateKey } = await generateKeyPair('ES256', { extractable: true })
    const other = (await exportJWK(privateKey)) as SigningKey
    const { d: _, ...jwk } = other
    expect(await statusOf(await signed({}, { jwk }, other))).to.deep.equal(REFUSED)
  })

  it('refuse alg none, with and without a signature', async () => {
    const unsigned = `${encode({ ...header, alg: 'none' })}.${encode(claims)}`
    for (const token of [`${unsigned}.`, `${unsigned}.${ada.accessToken.split('.')[2]}`]) {
      expect(await statusOf(token)).to.deep.equal(REFUSED)
    }
  })

  it('refuse HS256 keyed with the public key', async () => {
    const { d: _, ...publicKey } = key
    const secrets = [JSON.stringify(publicKey), publicKey.x].map((text) => Buffer.from(text))
    for (const secret of secrets) {
      const forged = await new SignJWT(claims).setProtectedHeader({ ...header, alg: 'HS256' }).sign(secret)
      expect(await statusOf(forged)).to.deep.equal(REFUSED)
    }
  })

  it('refuse a token with any character changed', async () => {
    const token = ada.accessToken
    // Not the last character, four bits of which belong to no byte of the signature.
    for (let at = 0; at < token.length - 1; at++) {
      if (token[at] === '.') continue
      const changed = `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`
      expect(
        await accounts.authenticators.accessToken(changed, undefined, accounts.time.now),
        `at ${at}`,
      ).to.equal(null)
    }
  })

  for (const token of ['', 'x', 'a.b.c', '..', 'svc_rt_x', 'null']) {
    it(`refuse ${JSON.stringify(token)}`, async () => {
      expect(await statusOf(token)).to.deep.equal(REFUSED)
    })
  }

  it('refuse a refresh token', async () => {
    expect(await statusOf(ada.refreshToken)).to.deep.equal(REFUSED)
  })

  describe('their key', () => {
    let folder: ReturnType<typeof createTemporaryFolder>
    let file: string

    beforeEach(() => {
      folder = createTemporaryFolder()
      file = join(folder.path, 'data', 'key.json')
    })
    afterEach(() => folder.remove())

    it('is generated once, in a file that only its owner can read, without leftovers', () => {
      const first = readSigningKey(file)
      expect(statSync(file).mode & 0o777).to.equal(0o600)
      expect(readSigningKey(file)).to.deep.equal(first)
      expect(readdirSync(join(folder.path, 'data'))).to.deep.equal(['key.json'])
    })

    for (const content of ['', '{}', 'secret', '{"kty":"EC","crv":"P-256","x":"a","y":"b"}']) {
      it(`is not replaced if its file contains ${JSON.stringify(content)}`, () => {
        readSigningKey(file)
        writeFileSync(file, content)
        expect(() => readSigningKey(file)).to.throw(`${file} does not contain a P-256 private key as a JWK`)
        expect(readFileSync(file, 'utf8')).to.equal(content)
      })
    }
  })
})
