import { parsePlainSignature } from '@svc/core/signing/parsePlainSignature.ts'
import { expect } from 'chai'
import fc from 'fast-check'
import {
  buildPlainSignatureBase,
  buildSignatureBase,
} from '../../../server/external/httpSignatures/buildSignatureBase.ts'
import { parseSignatures } from '../../../server/external/httpSignatures/parseSignatures.ts'
import { scaleCaseCount } from '../../harness/values/scaleCaseCount.ts'

const REQUEST = {
  authority: 'shop.example',
  method: 'GET',
  targetUri: 'https://shop.example/a?b=c',
  fields: { 'x-svc-id': 'SVC-1', 'content-digest': ' sha-256=:AA==: ' },
}

const plainComponents = ['"@method"', '"@path"', '"x-svc-id"', '"content-digest"']
const components = fc.oneof(
  { weight: 3, arbitrary: fc.subarray(plainComponents, { minLength: 1 }) },
  {
    weight: 1,
    arbitrary: fc.array(fc.constantFrom(...plainComponents, '"@query";req', '"a";key="b"'), { maxLength: 4 }),
  },
)
const required = [';created=1', ';expires=2', ';keyid="k"']
const optional = [';nonce="n"', ';alg="ed25519"', ';tag="web-bot-auth"', ';other=1']
const odd = [
  ';created=01',
  ';created="1"',
  ';expires=2.0',
  ';nonce="\\""',
  ';keyid=k',
  ';tag',
  '; created=3',
  ';alg=1',
]
const parameters = fc
  .tuple(fc.subarray(optional), fc.array(fc.constantFrom(...required, ...odd), { maxLength: 1 }))
  .map(([some, more]) => [...required, ...some, ...more])
const input = fc.tuple(
  fc.constantFrom('sig', 'sig', 'a-b.c', 'Sig', ''),
  components,
  parameters,
  fc.constantFrom('', '', '', ' ', ', b=("@method");created=1'),
)

describe('parsePlainSignature', () => {
  it('reads the same signature as the library, with the same text to verify, or nothing', () => {
    let plain = 0
    fc.assert(
      fc.property(input, ([label, components, parameters, after]) => {
        const signatureInput = `${label}=(${components.join(' ')})${parameters.join('')}${after}`
        const read = parsePlainSignature(`${label}=:AQID:`, signatureInput)
        if (read === undefined) return
        plain += 1
        const parsed = parseSignatures({ signature: `${label}=:AQID:`, signatureInput }, () => true)
        const [one] = parsed === 'malformed' ? [] : parsed.signatures
        if (one === undefined) throw new Error(`only the quick parser reads ${signatureInput}`)
        const { components: _, params: __, ...rest } = read
        const { label: ___, covered: ____, input: structured, ...same } = one
        expect(rest).to.deep.equal(same)
        expect(buildPlainSignatureBase(read, REQUEST)).to.deep.equal(buildSignatureBase(structured, REQUEST))
      }),
      { numRuns: scaleCaseCount(100_000) },
    )
    expect(plain).to.be.greaterThan(scaleCaseCount(5_000))
  })

  it('reads the spelling that our client writes', () => {
    const params = '("@authority" "x-svc-id");created=1;expires=2;nonce="n";keyid="k";tag="web-bot-auth"'
    const read = parsePlainSignature('svc=:AQID:', `svc=${params}`)
    expect(read).to.deep.include({ components: ['@authority', 'x-svc-id'], params, created: 1, keyid: 'k' })
  })

  it('leaves other labels, signatures that are no bytes, and repeated components to the library', () => {
    const params = '("@method");created=1;expires=2;keyid="k"'
    for (const [signature, signatureInput] of [
      ['other=:AQID:', `svc=${params}`],
      ['svc=:A:', `svc=${params}`],
      ['svc=AQID', `svc=${params}`],
      ['svc=:AQID:', 'svc=("@method" "@method");created=1;expires=2;keyid="k"'],
    ] as const) {
      expect(parsePlainSignature(signature, signatureInput), signatureInput).to.equal(undefined)
    }
  })
})
