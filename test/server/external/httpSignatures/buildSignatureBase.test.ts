import { generateKeyPairSync, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { isInnerList, parseDictionary } from 'structured-headers'
import { buildSignatureBase } from '../../../../server/external/httpSignatures/buildSignatureBase.ts'
import { readSigningKey } from '../../../../server/external/httpSignatures/readSigningKey.ts'
import { readSignatureAgent } from '../../../../server/external/webBotAuth/readSignatureAgent.ts'
import { RFC_KEYS } from './rfcKeys.ts'

const inputOf = (header: string) => {
  const [input] = parseDictionary(header).values()
  if (input === undefined || !isInnerList(input)) throw new Error('no signature input')
  return input
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

type Vector = {
  name: string
  method: string
  targetUri: string
  authority: string
  fields: Record<string, string>
  input: string
  signature: string
  /** Null where the standard prints none. */
  base: string | null
  /** Null for a shared secret. */
  key: keyof typeof RFC_KEYS | null
  isAltered?: boolean
}

/**
 * The requests of RFC 9421 appendix B, of the Web Bot Auth draft and of its library; those of B.2.2 and B.2.5 use what is
 * not supported.
 */
const VECTORS: Vector[] = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../fixtures/standards/httpSignatures.json'), 'utf8'),
)

describe('buildSignatureBase', () => {
  for (const vector of VECTORS) {
    const { name, input, signature, base, key, isAltered = false } = vector
    const [memberKey = 'sig2'] = /(?<="signature-agent";key=")[^"]+/.exec(input) ?? []
    const agentMember = readSignatureAgent(vector.fields['signature-agent'] ?? '', memberKey)?.member
    const built = buildSignatureBase(inputOf(input), {
      ...vector,
      agentMember: agentMember === undefined ? undefined : { key: memberKey, value: agentMember },
    })

    if (name.endsWith('B.2.2')) {
      it(`refuses the query parameter of ${name}`, () => {
        expect(built).to.deep.equal({ ok: false, reason: 'unknown_component' })
      })
      continue
    }
    if (base !== null) {
      it(`builds the text of ${name}`, () => {
        expect(built).to.deep.equal({ ok: true, text: base })
      })
    }
    if (key === null) {
      it(`knows no key for the shared secret of ${name}`, async () => {
        expect(await readSigningKey({ kty: 'oct', k: 'AAAA' })).to.equal(undefined)
      })
      continue
    }
    it(`${isAltered ? 'refuses' : 'verifies'} the signature of ${name}`, async () => {
      const [value] = parseDictionary(signature).values()
      const bytes = Buffer.from(value?.[0] as ArrayBuffer)
      const signer = await readSigningKey(RFC_KEYS[key])
      const text = built.ok ? built.text : ''
      expect(await signer?.verifies(text, bytes, undefined)).to.equal(!isAltered)
      expect(await signer?.verifies(`${text} `, bytes, undefined)).to.equal(false)
    })
  }

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
      expect(await key?.verifies(text, signature, alg)).to.equal(true)
      expect(await key?.verifies(text, signature, undefined)).to.equal(true)
      expect(await key?.verifies(text, signature, 'ed25519')).to.equal(false)
      expect(await key?.verifies('another', signature, alg)).to.equal(false)
    })
  }

  it('refuses RSA keys under 2048 bits', async () => {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
    expect(await readSigningKey({ ...publicKey.export({ format: 'jwk' }) })).to.equal(undefined)
  })
})
