import { base64OfBytes, bytesOfBase64 } from '@svc/core/bytes.ts'
import { expect } from 'chai'
import fc from 'fast-check'

describe('bytesOfBase64', () => {
  it('undoes base64OfBytes', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(base64OfBytes(bytes)).to.equal(Buffer.from(bytes).toString('base64'))
        expect(bytesOfBase64(base64OfBytes(bytes))).to.deep.equal(bytes)
      }),
    )
  })

  it('is null for any other spelling and for what is no base64', () => {
    for (const text of ['*', 'A', 'AA', 'AA=', 'AB==', ' AA==', 'AA==\n', 'A A==', '_-8=', 'é']) {
      expect(bytesOfBase64(text), text).to.equal(null)
    }
  })
})
