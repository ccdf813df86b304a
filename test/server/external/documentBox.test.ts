import { createCipheriv, hkdfSync } from 'node:crypto'
import { expect } from 'chai'
import fc from 'fast-check'
import { createDocumentBox } from '../../../server/external/documentBox.ts'
import type { SealContext } from '../../../server/external/keys/secretBox.ts'
import { createSecretsKeys } from '../../../server/external/keys/secretsKeys.ts'

const KEY = new Uint8Array(32).fill(7)
const OTHER = new Uint8Array(32)
const CASE = 'case 1' as SealContext

describe('createDocumentBox', () => {
  const box = createDocumentBox(createSecretsKeys(KEY))

  it('returns the sealed document, which the ciphertext does not reveal', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), fc.string(), (document, text) => {
        const context = text as SealContext
        const sealed = box.seal(document, context)
        expect(sealed).to.have.length(document.length + 35)
        expect(Buffer.from(box.open(sealed, context)).equals(Buffer.from(document))).to.equal(true)
        expect(Buffer.from(sealed).equals(Buffer.from(box.seal(document, context)))).to.equal(false)
      }),
    )
  })

  it('does not open a document that was changed, moved, truncated or sealed with another key', () => {
    const sealed = box.seal(Buffer.from('a picture'), CASE)
    expect(() => box.open(sealed, 'case 2' as SealContext)).to.throw()
    expect(() => createDocumentBox(createSecretsKeys(OTHER)).open(sealed, CASE)).to.throw()
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Uint8Array.from(sealed, (byte, index) => (index === at ? byte ^ 1 : byte))
      expect(() => box.open(changed, CASE), `byte ${at}`).to.throw()
      expect(() => box.open(sealed.subarray(0, at), CASE), `${at} bytes`).to.throw()
    }
  })

  it('opens documents of a former key and of the first version, and knows them from current ones', () => {
    const rotated = createDocumentBox(createSecretsKeys(OTHER, KEY))
    const sealed = box.seal(Buffer.from('a picture'), CASE)
    expect(Buffer.from(rotated.open(sealed, CASE)).toString()).to.equal('a picture')
    expect([box.isCurrent(sealed), rotated.isCurrent(sealed)]).to.deep.equal([true, false])
    const first = sealFirstVersion('a scan')
    for (const each of [box, rotated]) {
      expect(Buffer.from(each.open(first, CASE)).toString()).to.equal('a scan')
      expect(each.isCurrent(first)).to.equal(false)
    }
  })
})

/** What version 0.1.0 stored: version 1, nonce, ciphertext and tag, without the id of the key. */
function sealFirstVersion(text: string): Uint8Array {
  const key = new Uint8Array(hkdfSync('sha256', KEY, '', 'svc documents v1', 32))
  const cipher = createCipheriv('aes-256-gcm', key, Buffer.alloc(12, 3)).setAAD(Buffer.from(CASE))
  const sealed = [cipher.update(text), cipher.final(), cipher.getAuthTag()]
  return Buffer.concat([Uint8Array.of(1), Buffer.alloc(12, 3), ...sealed])
}
