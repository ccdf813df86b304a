import { createHash } from 'node:crypto'
import { deriveAgentIdentifier } from '@svc/core/ids/derivedIdentifiers.ts'
import { encodeBase62, isAgentIdentifier } from '@svc/core/ids/identifiers.ts'
import { expect } from 'chai'
import fc from 'fast-check'

const ADDRESS = '0xAbCdEf0000000000000000000000000000000001'

describe('deriveAgentIdentifier', () => {
  it('returns the first 128 bits of SHA-256 over version, lower-case address and nonce', () => {
    const digest = createHash('sha256').update(`SVC-AGENT-ID-V1\n${ADDRESS.toLowerCase()}\nnonce-0123456789`)
    const expected = `SVC-${encodeBase62(digest.digest().subarray(0, 16))}`
    expect(deriveAgentIdentifier(ADDRESS, 'nonce-0123456789')).to.equal(expected)
  })

  it('returns the form of an agent identifier, regardless of the case of the address', () => {
    fc.assert(
      fc.property(fc.string(), (nonce) => {
        const id = deriveAgentIdentifier(ADDRESS, nonce)
        expect(isAgentIdentifier(id)).to.equal(true)
        expect(deriveAgentIdentifier(ADDRESS.toLowerCase() as `0x${string}`, nonce)).to.equal(id)
      }),
    )
  })
})
