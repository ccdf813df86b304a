import {
  findUncoveredComponents,
  isNonce,
  listRequiredComponents,
  type RequestParts,
} from '@svc/core/signing/signatureProfile.ts'
import { expect } from 'chai'
import fc from 'fast-check'

const BARE: RequestParts = { hasQuery: false, hasBody: false, hasSignatureAgent: false }
const FULL: RequestParts = { hasQuery: true, hasBody: true, hasSignatureAgent: true }
const parts = fc.record({ hasQuery: fc.boolean(), hasBody: fc.boolean(), hasSignatureAgent: fc.boolean() })

describe('the components of a signature', () => {
  it('are those of the parts that the request has', () => {
    const bare = ['@authority', '@method', '@path', 'x-svc-id']
    expect(listRequiredComponents(BARE)).to.deep.equal(bare)
    expect(listRequiredComponents(FULL)).to.deep.equal([
      ...bare,
      '@query',
      'content-digest',
      'signature-agent',
    ])
  })

  it('suffice if none is left out', () => {
    fc.assert(
      fc.property(parts, fc.nat({ max: 6 }), (all, at) => {
        const required = listRequiredComponents(all)
        expect(findUncoveredComponents([...required, 'x-own'], all)).to.deep.equal([])
        const left = required[at % required.length] ?? ''
        expect(
          findUncoveredComponents(
            required.filter((name) => name !== left),
            all,
          ),
        ).to.deep.equal([left])
      }),
    )
  })

  it('may name the whole target instead of its parts', () => {
    const rest = ['@target-uri', '@method', 'x-svc-id', 'content-digest', 'signature-agent']
    expect(findUncoveredComponents(rest, FULL)).to.deep.equal([])
    expect(findUncoveredComponents(['@target-uri'], FULL)).to.deep.equal([
      '@method',
      'x-svc-id',
      'content-digest',
      'signature-agent',
    ])
    expect(findUncoveredComponents(['@request-target'], BARE)).to.include('@path')
  })
})

describe('a nonce', () => {
  it('has 16 to 128 visible ASCII characters', () => {
    for (const text of ['n'.repeat(16), 'n'.repeat(128), 'AAAAAAAAAAAAAA+/==', '~'.repeat(16)]) {
      expect(isNonce(text), text).to.equal(true)
    }
    const sixteen = 'n'.repeat(16)
    for (const text of ['', 'n'.repeat(15), 'n'.repeat(129), ` ${sixteen}`, `${sixteen}\n`, 'é'.repeat(16)]) {
      expect(isNonce(text), text).to.equal(false)
    }
  })
})
