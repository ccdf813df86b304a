import { createHash } from 'node:crypto'
import { derivedAgentIdentifier } from '@svc/core/ids/derivedIdentifiers.ts'
import { base62Id, isAgentIdentifier } from '@svc/core/ids/identifiers.ts'
import { expect } from 'chai'
import fc from 'fast-check'

const ADDRESS = '0xAbCdEf0000000000000000000000000000000001'

describe('core/ids/derivedAgentIdentifier', () => {
  it('is the first 128 bits of SHA-256 over version, lower-case address and nonce', () => {
    const digest = createHash('sha256').update(`SVC-AGENT-ID-V1\n${ADDRESS.toLowerCase()}\nnonce-0123456789`)
    const expected = `SVC-${base62Id(digest.digest().subarray(0, 16))}`
    expect(derivedAgentIdentifier(ADDRESS, 'nonce-0123456789')).to.equal(expected)
  })

  it('has the form of an agent identifier and does not depend on the spelling of the address', () => {
    fc.assert(
      fc.property(fc.string(), (nonce) => {
        const id = derivedAgentIdentifier(ADDRESS, nonce)
        expect(isAgentIdentifier(id)).to.equal(true)
        expect(derivedAgentIdentifier(ADDRESS.toLowerCase() as `0x${string}`, nonce)).to.equal(id)
      }),
    )
  })
})
