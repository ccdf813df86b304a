import { expect } from 'chai'
import fc from 'fast-check'
import { createDocumentBox } from '../../../server/external/documentBox.ts'

const KEY = new Uint8Array(32).fill(7)

describe('createDocumentBox', () => {
  const box = createDocumentBox(KEY)

  it('returns the sealed document, which the ciphertext does not reveal', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), fc.string(), (document, context) => {
        const sealed = box.seal(document, context)
        expect(sealed).to.have.length(document.length + 29)
        expect(Buffer.from(box.open(sealed, context)).equals(Buffer.from(document))).to.equal(true)
        expect(Buffer.from(sealed).equals(Buffer.from(box.seal(document, context)))).to.equal(false)
      }),
    )
  })

  it('does not open a document that was changed, moved, truncated or sealed with another key', () => {
    const sealed = box.seal(Buffer.from('a picture'), 'case 1')
    expect(() => box.open(sealed, 'case 2')).to.throw()
    expect(() => createDocumentBox(new Uint8Array(32)).open(sealed, 'case 1')).to.throw()
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Uint8Array.from(sealed, (byte, index) => (index === at ? byte ^ 1 : byte))
      expect(() => box.open(changed, 'case 1'), `byte ${at}`).to.throw()
      expect(() => box.open(sealed.subarray(0, at), 'case 1'), `${at} bytes`).to.throw()
    }
  })
})
