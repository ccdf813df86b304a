import { sha256Hex } from '@svc/core/hash.ts'
import { computeFileCid } from '@svc/core/registrationFile/computeFileCid.ts'
import { expect } from 'chai'
import fc from 'fast-check'
import { CID } from 'multiformats/cid'
import * as raw from 'multiformats/codecs/raw'
import { sha256 } from 'multiformats/hashes/sha2'

describe('computeFileCid', () => {
  it('returns the identifier that the multiformats library computes for the same bytes', () =>
    fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        const expected = CID.createV1(raw.code, await sha256.digest(bytes)).toString()
        expect(computeFileCid(sha256Hex(bytes))).to.equal(expected)
      }),
    ))
})
