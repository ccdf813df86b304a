import { createHash } from 'node:crypto'
import { sha256, sha256Hex } from '@svc/core/hash.ts'
import { expect } from 'chai'
import fc from 'fast-check'
import { anyText } from '../harness/values/anyText.ts'

describe('sha256', () => {
  it('returns the published digest of "abc"', () => {
    const digest = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
    expect(sha256Hex('abc')).to.equal(digest)
    expect(Buffer.from(sha256('abc')).toString('hex')).to.equal(digest)
  })

  it('agrees with the incremental hash over any bytes, in both forms', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const digest = createHash('sha256').update(bytes).digest()
        expect(Buffer.from(sha256(bytes)).equals(digest)).to.equal(true)
        expect(sha256Hex(bytes)).to.equal(digest.toString('hex'))
      }),
    )
  })

  it('hashes a string as its UTF-8 bytes', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        expect(sha256(text)).to.deep.equal(sha256(new TextEncoder().encode(text)))
      }),
    )
  })
})
