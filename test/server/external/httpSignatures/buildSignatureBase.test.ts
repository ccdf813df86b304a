import { generateKeyPairSync, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { isInnerList, parseDictionary } from 'structured-headers'
import { buildSignatureBase } from '../../../../server/external/httpSignatures/buildSignatureBase.ts'
import { readSigningKey } from '../../../../server/external/httpSignatures/readSigningKey.ts'
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
 * The requests of RFC 9421 appendix B, of the Web Bot Auth draft and of its library; that of B.2.5 uses what is not
 * supported.
 */
const VECTORS: Vector[] = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../fixtures/standards/httpSignatures.json'), 'utf8'),
)

describe('buildSignatureBase', () => {
  for (const vector of VECTORS) {
    const { name, input, signature, base, key, isAltered = false } = vector
    const built = buildSignatureBase(inputOf(input), vector)
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

  const dictionary = {
    ...request,
    fields: { 'example-dict': '  a=1,    b=2;x=1;y=2,   c=(a   b    c), d' },
  }
  const members = [
    ...[['a', '1'] as const, ['d', '?1'] as const, ['b', '2;x=1;y=2'] as const, ['c', '(a b c)'] as const],
  ]
  for (const [key, value] of members) {
    it(`covers the member ${key} of a dictionary as in RFC 9421 §2.1.2`, () => {
      const identifier = `"example-dict";key="${key}"`
      expect(buildSignatureBase(inputOf(`s=(${identifier})`), dictionary)).to.deep.equal({
        ...{ ok: true, text: `${identifier}: ${value}\n"@signature-params": (${identifier})` },
      })
    })
  }

  const queryParams: [string, string, string][] = [
    ['param=value&foo=bar&baz=batman&qux=', 'baz', 'batman'],
    ['param=value&foo=bar&baz=batman&qux=', 'qux', ''],
    ['param=value&foo=bar&baz=batman&qux=', 'param', 'value'],
    [
      'var=this%20is%20a%20big%0Amultiline%20value&bar=with+plus+whitespace&fa%C3%A7ade%22%3A%20=something',
      ...(['var', 'this%20is%20a%20big%0Amultiline%20value'] as const),
    ],
    ['bar=with+plus+whitespace', 'bar', 'with%20plus%20whitespace'],
    ['fa%C3%A7ade%22%3A%20=something', 'fa%C3%A7ade%22%3A%20', 'something'],
    ["a=!'()~*-._%2B", 'a', '%21%27%28%29%7E*-._%2B'],
  ]
  for (const [query, name, value] of queryParams) {
    it(`covers the parameter ${name} of ?${query} as in RFC 9421 §2.2.8`, () => {
      const targetUri = `https://www.example.com/parameters?${query}`
      const identifier = `"@query-param";name="${name}"`
      expect(buildSignatureBase(inputOf(`s=(${identifier})`), { ...request, targetUri })).to.deep.include({
        ...{ ok: true, text: `${identifier}: ${value}\n"@signature-params": (${identifier})` },
      })
    })
  }

  it('refuses a value with a line break', () => {
    const fields = { 'content-type': 'a\n"@authority": evil.example' }
    expect(buildSignatureBase(inputOf('s=("content-type")'), { ...request, fields })).to.deep.equal({
      ok: false,
      reason: 'malformed',
    })
  })

  it('does not mistake an inherited property for a header', () => {
    for (const name of ['constructor', 'tostring', '__proto__']) {
      expect(buildSignatureBase(inputOf(`s=("@authority" "${name}")`), request)).to.deep.equal({
        ok: false,
        reason: 'unknown_component',
      })
    }
  })

  it('tells components that are not supported, or that no request has, from those that were not reported', () => {
    const reasonOf = (components: string, varied: object = {}) => {
      const built = buildSignatureBase(inputOf(`s=(${components})`), { ...request, ...varied })
      return built.ok ? null : built.reason
    }
    for (const component of [
      ...[
        '"@status"',
        '"@constructor"',
        '"@query-param"',
        '"@authority";req',
        '"@path";key="a"',
        '"@method";sf',
      ],
      ...['"date";bs', '"date";sf', '"date";tr', '"date";req', '"Date"', '"X-Svc-Id"', '"da te"', '""'],
      ...[
        '"date";key="a"',
        '"content-length";key="a"',
        '"date";key=1',
        '"date";key="a";req',
        '"date";sf;key="a"',
      ],
      // The request has no such parameter, or two of them.
      ...['"@query-param";name="a"', '"@query-param";name=1', '"@query-param";name="param";req'],
    ]) {
      expect(reasonOf(component), component).to.equal('unsupported_component')
      expect(reasonOf(`"x-missing" ${component}`), component).to.equal('unsupported_component')
    }
    const twice = { targetUri: 'https://example.com/?a=1&a=2' }
    expect(reasonOf('"@query-param";name="a"', twice)).to.equal('unsupported_component')
    const nowhere = { targetUri: undefined }
    for (const component of ['"@path"', '"@query-param";name="a"', '"x-missing"', '"x-missing";key="a"']) {
      expect(reasonOf(component, nowhere), component).to.equal('unknown_component')
    }
    expect(reasonOf('7')).to.equal('malformed')
    expect(reasonOf('"date" "date"')).to.equal('malformed')
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
