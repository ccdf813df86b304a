import { generateKeyPairSync, sign } from 'node:crypto'
import { expect } from 'chai'
import { isInnerList, parseDictionary } from 'structured-headers'
import { buildSignatureBase } from '../../../../server/external/httpSignatures/buildSignatureBase.ts'
import { readSigningKey } from '../../../../server/external/httpSignatures/readSigningKey.ts'

const inputOf = (header: string) => {
  const [input] = parseDictionary(header).values()
  if (input === undefined || !isInnerList(input)) throw new Error('no signature input')
  return input
}

/** RFC 9421 appendix B.1.4 and B.2.6. */
const B_2_6 = {
  jwk: { kty: 'OKP', crv: 'Ed25519', x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs' },
  input:
    'sig-b26=("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"',
  signature: 'wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==',
  base: [
    '"date": Tue, 20 Apr 2021 02:07:55 GMT',
    '"@method": POST',
    '"@path": /foo',
    '"@authority": example.com',
    '"content-type": application/json',
    '"content-length": 18',
    '"@signature-params": ("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"',
  ].join('\n'),
}

const request = {
  authority: 'example.com',
  method: 'POST',
  targetUri: 'https://example.com/foo?param=Value&Pet=dog',
  fields: {
    date: 'Tue, 20 Apr 2021 02:07:55 GMT',
    'content-type': 'application/json',
    'content-length': '18',
  },
  agentMember: undefined,
}

describe('buildSignatureBase', () => {
  it('reproduces RFC 9421 B.2.6, whose signature verifies', async () => {
    const base = buildSignatureBase(inputOf(B_2_6.input), request)
    expect(base).to.deep.equal({ ok: true, text: B_2_6.base })
    const key = await readSigningKey(B_2_6.jwk)
    const signature = Buffer.from(B_2_6.signature, 'base64')
    expect(key?.keyid).to.equal('poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U')
    expect(key?.verifies(B_2_6.base, signature, undefined)).to.equal(true)
    expect(key?.verifies(`${B_2_6.base} `, signature, undefined)).to.equal(false)
  })

  const derived: [string, string, string][] = [
    ['@target-uri', 'https://www.example.com/path?param=value', 'https://www.example.com/path?param=value'],
    ['@scheme', 'HTTP://www.example.com/path', 'http'],
    ['@request-target', 'https://www.example.com/path?param=value', '/path?param=value'],
    ['@path', 'https://www.example.com/path?param=value', '/path'],
    ['@path', 'https://www.example.com', '/'],
    ['@path', 'https://www.example.com/a/../%7Eb', '/a/../%7Eb'],
    [
      '@query',
      'https://www.example.com/path?param=value&foo=bar&baz=bat%2Dman',
      '?param=value&foo=bar&baz=bat%2Dman',
    ],
    ['@query', 'https://www.example.com/path?queryString', '?queryString'],
    ['@query', 'https://www.example.com/path', '?'],
  ]
  for (const [name, targetUri, value] of derived) {
    it(`derives ${name} from ${targetUri} as in RFC 9421 §2.2`, () => {
      const base = buildSignatureBase(inputOf(`s=("${name}")`), { ...request, targetUri })
      expect(base).to.deep.include({
        ok: true,
        text: `"${name}": ${value}\n"@signature-params": ("${name}")`,
      })
    })
  }

  it('covers a single member of Signature-Agent', () => {
    const agentMember = { key: 'sig1', value: '"https://a.example"' }
    const input = inputOf('sig1=("signature-agent";key="sig1")')
    expect(buildSignatureBase(input, { ...request, agentMember })).to.deep.include({
      text: '"signature-agent";key="sig1": "https://a.example"\n"@signature-params": ("signature-agent";key="sig1")',
    })
    const other = inputOf('sig1=("signature-agent";key="sig2")')
    expect(buildSignatureBase(other, { ...request, agentMember }).ok).to.equal(false)
  })

  it('refuses a value with a line break', () => {
    const fields = { 'content-type': 'a\n"@authority": evil.example' }
    expect(buildSignatureBase(inputOf('s=("content-type")'), { ...request, fields })).to.deep.equal({
      ok: false,
      reason: 'malformed',
    })
  })

  it('does not mistake an inherited property for a header', () => {
    for (const name of ['constructor', 'toString', '__proto__', '@constructor']) {
      expect(buildSignatureBase(inputOf(`s=("@authority" "${name}")`), request)).to.deep.equal({
        ok: false,
        reason: 'unknown_component',
      })
    }
  })

  it('refuses unsupported kinds of components', () => {
    for (const input of [
      's=("@status")',
      's=("@query-param";name="a")',
      's=("date";bs)',
      's=("@authority";req)',
      's=(7)',
    ]) {
      expect(buildSignatureBase(inputOf(input), request).ok).to.equal(false)
    }
    expect(buildSignatureBase(inputOf('s=("@path")'), { ...request, targetUri: undefined }).ok).to.equal(
      false,
    )
  })
})

describe('readSigningKey', () => {
  const text = 'a signature base'
  const cases = [
    ['ecdsa-p256-sha256', 'sha256', generateKeyPairSync('ec', { namedCurve: 'P-256' })],
    ['ecdsa-p384-sha384', 'sha384', generateKeyPairSync('ec', { namedCurve: 'P-384' })],
    ['rsa-pss-sha512', 'sha512', generateKeyPairSync('rsa', { modulusLength: 2048 })],
  ] as const
  for (const [alg, hash, { privateKey, publicKey }] of cases) {
    it(`verifies ${alg}`, async () => {
      const options =
        alg === 'rsa-pss-sha512' ? { padding: 6, saltLength: 64 } : { dsaEncoding: 'ieee-p1363' as const }
      const signature = sign(hash, Buffer.from(text), { key: privateKey, ...options })
      const key = await readSigningKey({ ...publicKey.export({ format: 'jwk' }) })
      expect(key?.verifies(text, signature, alg)).to.equal(true)
      expect(key?.verifies(text, signature, undefined)).to.equal(true)
      expect(key?.verifies(text, signature, 'ed25519')).to.equal(false)
      expect(key?.verifies('another', signature, alg)).to.equal(false)
    })
  }

  it('refuses RSA keys under 2048 bits', async () => {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
    expect(await readSigningKey({ ...publicKey.export({ format: 'jwk' }) })).to.equal(undefined)
  })
})
