import { createHash } from 'node:crypto'
import { deriveCredentialLookupKey } from '@svc/core/credentials/deriveCredentialLookupKey.ts'
import { parseDid } from '@svc/core/credentials/parseDid.ts'
import { expect } from 'chai'
import fc from 'fast-check'

const KEY = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'
const ADDRESS = '0xb9c5714089478a327f09197987f16f9e5d936e8a'

describe('parseDid', () => {
  for (const [text, did, url] of [
    ['did:web:w3c-ccg.github.io', undefined, 'https://w3c-ccg.github.io/.well-known/did.json'],
    ['did:web:w3c-ccg.github.io:user:alice', undefined, 'https://w3c-ccg.github.io/user/alice/did.json'],
    ['did:web:example.com%3A3000:user:alice', undefined, 'https://example.com:3000/user/alice/did.json'],
    [
      'did:web:Example.COM%3a3000',
      'did:web:example.com%3A3000',
      'https://example.com:3000/.well-known/did.json',
    ],
    ['did:web:localhost%3A80', undefined, 'http://localhost:80/.well-known/did.json'],
  ] as const) {
    it(`resolves ${text} to the location of its document`, () =>
      expect(parseDid(text)).to.deep.equal({ method: 'web', did: did ?? text, url }))
  }

  it('drops the fragment of a key, and normalises the URL', () => {
    expect(parseDid(`${KEY}#${KEY.slice(8)}`)?.did).to.equal(KEY)
    const spellings = [
      `did:ethr:${ADDRESS.toUpperCase().replace('0X', '0x')}`,
      `did:ethr:mainnet:${ADDRESS}`,
      `did:ethr:0x1:${ADDRESS}#controller`,
    ]
    for (const spelling of spellings)
      expect(parseDid(spelling)?.did, spelling).to.equal(`did:ethr:${ADDRESS}`)
    expect(parseDid(`did:ethr:sepolia:${ADDRESS}`)?.did).to.equal(`did:ethr:sepolia:${ADDRESS}`)
  })

  for (const text of [
    '',
    'did:key:',
    'did:key:6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK',
    `${KEY}/path`,
    `${KEY}?query`,
    'DID:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK',
    'did:web:',
    'did:web:..',
    'did:web:a.io:..:b',
    'did:web:a.io:b%2Fc',
    'did:web:a.io%2Fb',
    'did:web:user@a.io',
    'did:web:a.io::b',
    'did:web:[::1]',
    'did:ethr:0x1234',
    `did:ethr:0x02${ADDRESS.slice(2)}`,
    'did:ion:abc',
    `did:web:${'a'.repeat(600)}`,
  ]) {
    it(`rejects ${text.slice(0, 40) || 'the empty text'}`, () => expect(parseDid(text)).to.equal(undefined))
  }
})

describe('the lookup key of a credential', () => {
  it('maps different presentations of a credential to one key', () => {
    expect(deriveCredentialLookupKey('did', `${KEY}#key`)).to.equal(deriveCredentialLookupKey('did', KEY))
    expect(deriveCredentialLookupKey('sd_jwt', 'a.b.c~')).to.equal(
      deriveCredentialLookupKey('sd_jwt', 'a.b.c~z.z.z'),
    )
    const pem = '-----BEGIN CERTIFICATE-----\nAA\r\nAA\n-----END CERTIFICATE-----\n'
    expect(deriveCredentialLookupKey('x509', pem + pem)).to.equal(deriveCredentialLookupKey('x509', 'AAAA'))
  })

  it('of an SD-JWT is the same with any disclosures of it, and null with others', () => {
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const disclosed = part(['salt', 'level', 3])
    const digest = createHash('sha256').update(disclosed).digest('base64url')
    const token = `${part({ alg: 'ES256' })}.${part({ _sd: [digest] })}.AAAA`
    const key = deriveCredentialLookupKey('sd_jwt', token)
    expect(deriveCredentialLookupKey('sd_jwt', `${token}~${disclosed}~a.b.c`))
      .to.equal(key)
      .and.be.a('string')
    for (const presented of [
      `${token}~${part(['salt', 'level', 99])}~`,
      `${token}~${disclosed}~${disclosed}~`,
      `${token}~x~`,
      `a.b.c~${disclosed}~`,
    ]) {
      expect(deriveCredentialLookupKey('sd_jwt', presented), presented).to.equal(null)
    }
  })

  it('distinguishes types and other texts', () => {
    expect(deriveCredentialLookupKey('vc', 'a.b.c')).not.to.equal(
      deriveCredentialLookupKey('sd_jwt', 'a.b.c'),
    )
    expect(deriveCredentialLookupKey('vc', 'a.b.c')).not.to.equal(deriveCredentialLookupKey('vc', 'a.b.d'))
  })

  it('returns null or 64 digits for any input', () => {
    const types = fc.constantFrom('did' as const, 'vc' as const, 'sd_jwt' as const, 'x509' as const)
    const text = fc.oneof(
      fc.string(),
      fc.string({
        unit: fc.constantFrom(
          'did:',
          'web:',
          'z',
          '-----BEGIN CERTIFICATE-----',
          '-----END CERTIFICATE-----',
          '.',
          '~',
          'A',
          ' ',
        ),
      }),
    )
    fc.assert(
      fc.property(types, text, (type, value) => {
        const key = deriveCredentialLookupKey(type, value)
        expect(key === null || /^[0-9a-f]{64}$/.test(key)).to.equal(true)
      }),
    )
  })
})
