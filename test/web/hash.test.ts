import * as core from '@svc/core/hash.ts'
import { expect } from 'chai'
import fc from 'fast-check'
import * as web from '../../web/src/hash.ts'

describe('the browser’s hash', () => {
  it('equals that of core for bytes and text', () => {
    const input = fc.oneof(fc.uint8Array({ maxLength: 300 }), fc.string({ unit: 'grapheme', maxLength: 100 }))
    fc.assert(
      fc.property(input, (data) => {
        expect(web.sha256(data)).to.deep.equal(core.sha256(data))
        expect(web.sha256Hex(data)).to.equal(core.sha256Hex(data))
      }),
    )
  })
})
