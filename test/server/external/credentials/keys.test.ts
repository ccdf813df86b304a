import { createSecretKey, generateKeyPairSync } from 'node:crypto'
import { decodeBase64Url } from '@svc/core/bytes.ts'
import type { CompactJws, JwsAlgorithm } from '@svc/core/credentials/parseCompactJws.ts'
import { expect } from 'chai'
import { readJwk, readMultikey } from '../../../../server/external/credentials/didKeys.ts'
import { verifyJws } from '../../../../server/external/credentials/verifyJws.ts'

/** Parses a token of an appendix, whose payload need not be JSON. */
function parseToken(text: string): CompactJws {
  const [header = '', payload = '', signature = ''] = text.split('.')
  const parsed = JSON.parse(Buffer.from(header, 'base64url').toString())
  return {
    algorithm: parsed.alg as JwsAlgorithm,
    header: parsed,
    payload: {},
    signingInput: `${header}.${payload}`,
    signature: decodeBase64Url(signature) ?? new Uint8Array(),
  }
}

const ED25519 = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }
const ED25519_TOKEN =
  'eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc.hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg'
const P256 = {
  kty: 'EC',
  crv: 'P-256',
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
}
const P256_TOKEN =
  'eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q'

describe('keys of credentials', () => {
  it('verify the examples of RFC 8037 A.4 and RFC 7515 A.3, and no altered ones', async () => {
    for (const [jwk, text] of [
      [ED25519, ED25519_TOKEN],
      [P256, P256_TOKEN],
    ] as const) {
      const key = readJwk(jwk)
      if (key === null) throw new Error('no key')
      const token = parseToken(text)
      expect(await verifyJws(token, key)).to.equal(true)
      expect(await verifyJws({ ...token, signingInput: `${token.signingInput}x` }, key)).to.equal(false)
      for (let at = 0; at < token.signature.length; at += 1) {
        const signature = Uint8Array.from(token.signature, (byte, index) => (index === at ? byte ^ 1 : byte))
        expect(await verifyJws({ ...token, signature }, key)).to.equal(false)
      }
      expect(await verifyJws({ ...token, signature: new Uint8Array() }, key)).to.equal(false)
      expect(await verifyJws({ ...token, signature: new Uint8Array(64) }, key)).to.equal(false)
    }
  })

  it('verify only with their own algorithm', async () => {
    const [one, other] = [readJwk(ED25519), readJwk(P256)]
    if (one === null || other === null) throw new Error('no key')
    expect(await verifyJws({ ...parseToken(ED25519_TOKEN), algorithm: 'ES256' }, one)).to.equal(false)
    expect(await verifyJws({ ...parseToken(P256_TOKEN), algorithm: 'ES256K' }, other)).to.equal(false)
    expect(await verifyJws({ ...parseToken(P256_TOKEN), algorithm: 'EdDSA' }, other)).to.equal(false)
    expect(await verifyJws(parseToken(P256_TOKEN), createSecretKey(Buffer.from('secret')))).to.equal(false)
    const short = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey
    expect(await verifyJws({ ...parseToken(P256_TOKEN), algorithm: 'RS256' }, short)).to.equal(false)
  })

  // Examples of the did:key method, §§7 and 8.
  for (const [multikey, jwk] of [
    [
      'z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp',
      { crv: 'Ed25519', x: 'O2onvM62pC1io6jQKm8Nc2UyFXcd4kOmOsBIoYtZ2ik' },
    ],
    [
      'zDnaerDaTF5BXEavCrfRZEk316dpbLsfPDZ3WJ5hRTPFU2169',
      {
        crv: 'P-256',
        x: 'fyNYMN0976ci7xqiSdag3buk-ZCwgXU4kz9XNkBlNUI',
        y: 'hW2ojTNfH7Jbi8--CJUo3OCbH3y5n91g-IMA9MLMbTU',
      },
    ],
    [
      'zQ3shokFTS3brHcDQrn82RUDfCZESWL1ZdCEJwekUDPQiYBme',
      {
        crv: 'secp256k1',
        x: 'h0wVx_2iDlOcblulc8E5iEw1EYh5n1RYtLQfeSTyNc0',
        y: 'O2EATIGbu6DezKFptj5scAIRntgfecanVNXxat1rnwE',
      },
    ],
  ] as const) {
    it(`are read from did:key:${multikey.slice(0, 8)}…`, () =>
      expect(readMultikey(multikey)?.export({ format: 'jwk' })).to.deep.include(jwk))
  }

  it('are refused if off their curve, symmetric, or of another kind', () => {
    expect(readJwk({ ...P256, y: ED25519.x })).to.equal(null)
    expect(readJwk({ kty: 'oct', k: 'c2VjcmV0' })).to.equal(null)
    expect(readJwk({ kty: 'RSA', n: 'AQAB', e: 'AQAB' })).to.equal(null)
    expect(readJwk({ ...ED25519, crv: 'X25519' })).to.equal(null)
    expect(readJwk(null)).to.equal(null)
    for (const text of ['z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWq', 'zQ3s', 'z', 'uAA', '']) {
      expect(readMultikey(text)?.export({ format: 'jwk' }).x ?? null, text).not.to.equal(ED25519.x)
    }
    expect(readMultikey(`z1${'z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp'.slice(1)}`)).to.equal(null)
  })
})
