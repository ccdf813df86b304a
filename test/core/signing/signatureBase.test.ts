import { createPublicKey, verify } from 'node:crypto'
import {
  buildSignatureBase,
  buildSignatureParams,
  type SignatureComponent,
} from '@svc/core/signing/signatureBase.ts'
import { expect } from 'chai'
import fc from 'fast-check'
import { isInnerList, parseDictionary } from 'structured-headers'
import { buildSignatureBase as buildReceivedBase } from '../../../server/external/httpSignatures/buildSignatureBase.ts'

const REQUEST = {
  method: 'POST',
  authority: 'example.com',
  targetUri: 'https://example.com/foo?param=Value&Pet=dog',
  headers: {
    date: 'Tue, 20 Apr 2021 02:07:55 GMT',
    'content-type': 'application/json',
    'content-length': '18',
  },
}

/** The public key of RFC 9421 appendix B.1.4. */
const KEY = { kty: 'OKP', crv: 'Ed25519', x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs' }

const isSignedBy = (text: string, signature: string) =>
  verify(
    null,
    Buffer.from(text),
    createPublicKey({ key: KEY, format: 'jwk' }),
    Buffer.from(signature, 'base64'),
  )

const named = (...names: string[]): SignatureComponent[] => names.map((name) => ({ name }))

describe('the signature base', () => {
  it('is that of RFC 9421 B.2.6, whose signature verifies', () => {
    const components = named('date', '@method', '@path', '@authority', 'content-type', 'content-length')
    const params = buildSignatureParams(components, { created: 1618884473, keyid: 'test-key-ed25519' })
    expect(params).to.equal(
      '("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"',
    )
    const signature =
      'wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw=='
    expect(isSignedBy(buildSignatureBase(components, params, REQUEST), signature)).to.equal(true)
  })

  it('is that of the Web Bot Auth draft, appendix "Signature-Agent", whose signature verifies', () => {
    const member = { key: 'agent2', value: '"https://signature-agent.test"' }
    const components = [{ name: '@authority' }, { name: 'signature-agent', member }]
    const params =
      '("@authority" "signature-agent";key="agent2");created=1735689600;keyid="poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U"' +
      ';alg="ed25519";expires=4889289600;nonce="n9p433xm+NJ3ph3upfBIGmsuwHw387YV7Q/F+6BSpGCVjYCqQw6rznNA8PVVLySrAWsv0hQtFioQb6E1YsauiA=="' +
      ';tag="web-bot-auth"'
    const signature =
      'RdNFx5Bj6au3YgAMQL/RzmUlZE8QZLIaXGRpw985hWnwPfMxT228NMk6ehRS1PSl4e8PhbNZACSanGdhEwYCCg=='
    expect(isSignedBy(buildSignatureBase(components, params, REQUEST), signature)).to.equal(true)
  })

  it('is the same for the signer and for the verifier that parses Signature-Input', () => {
    const known = fc.constantFrom(
      '@method',
      '@authority',
      '@path',
      '@query',
      '@target-uri',
      '@scheme',
      'x-svc-id',
    )
    const printable = fc.string({
      unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
      maxLength: 40,
    })
    const parameters = fc.record(
      {
        created: fc.integer({ min: 0, max: 2 ** 40 }),
        expires: fc.integer({ min: 0, max: 2 ** 40 }),
        nonce: printable,
        keyid: printable,
        alg: printable,
        tag: printable,
      },
      { requiredKeys: ['created', 'keyid'] },
    )
    const request = fc.record({
      method: fc.constantFrom('GET', 'POST'),
      authority: fc.constant('shop.example:8443'),
      targetUri: fc.webUrl({ withQueryParameters: true }),
      headers: fc.record({ 'x-svc-id': printable }),
    })
    fc.assert(
      fc.property(fc.uniqueArray(known), parameters, request, (names, all, sent) => {
        const params = buildSignatureParams(named(...names), all)
        const [input] = parseDictionary(`svc=${params}`).values()
        if (input === undefined || !isInnerList(input)) throw new Error('no inner list')
        const received = buildReceivedBase(input, { ...sent, fields: sent.headers })
        expect(received).to.deep.equal({ ok: true, text: buildSignatureBase(named(...names), params, sent) })
      }),
      { numRuns: 500 },
    )
  })

  it('is never that of other components: each covered value is on a line of its own', () => {
    for (const value of ['a\nb', 'a\rb', 'a\n"@method": GET']) {
      const headers = { 'x-svc-id': value }
      expect(() => buildSignatureBase(named('x-svc-id'), '("x-svc-id")', { ...REQUEST, headers })).to.throw(
        'line break',
      )
    }
  })

  it('is not built without a component', () => {
    for (const name of ['x-svc-id', 'constructor', '__proto__', '@status', '@constructor']) {
      expect(() => buildSignatureBase(named(name), '', REQUEST), name).to.throw(`the request has no ${name}`)
    }
  })

  it('covers no component twice', () => {
    const parameters = { created: 1, keyid: 'k' }
    expect(() => buildSignatureParams(named('@path', '@path'), parameters)).to.throw('covered twice')
    const members = ['a', 'b'].map((key) => ({ name: 'signature-agent', member: { key, value: '1' } }))
    expect(buildSignatureParams(members, parameters)).to.equal(
      '("signature-agent";key="a" "signature-agent";key="b");created=1;keyid="k"',
    )
  })
})
