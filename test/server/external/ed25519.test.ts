import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { createEd25519Signer, createEd25519Verifier } from '../../../server/external/ed25519.ts'

const KEYS = 20
const WITHOUT_LIBRARY = null

describe('Ed25519 of libsodium and of Node', () => {
  const publicOf = (key: KeyObject): KeyObject => createPublicKey(key)

  it('make the same signatures, and both accept them', () => {
    for (let nth = 0; nth < KEYS; nth += 1) {
      const { privateKey } = generateKeyPairSync('ed25519')
      const text = randomBytes(nth * 20)
      const signature = createEd25519Signer(privateKey)(text)
      expect(createEd25519Signer(privateKey, WITHOUT_LIBRARY)(text)).to.deep.equal(signature)
      for (const library of [undefined, WITHOUT_LIBRARY]) {
        expect(createEd25519Verifier(publicOf(privateKey), library)(text, signature)).to.equal(true)
      }
    }
  })

  it('refuse every altered signature, text and key, and signatures of another length', () => {
    const { privateKey } = generateKeyPairSync('ed25519')
    const text = randomBytes(100)
    const signature = createEd25519Signer(privateKey)(text)
    for (const library of [undefined, WITHOUT_LIBRARY]) {
      const verify = createEd25519Verifier(publicOf(privateKey), library)
      for (let bit = 0; bit < 8 * signature.length; bit += 1) {
        expect(verify(text, flip(signature, bit)), `bit ${bit}`).to.equal(false)
      }
      for (let bit = 0; bit < 8 * text.length; bit += 1) {
        expect(verify(flip(text, bit), signature)).to.equal(false)
      }
      expect(verify(text, signature.subarray(0, 63))).to.equal(false)
      expect(verify(text, Buffer.concat([signature, Buffer.of(0)]))).to.equal(false)
      expect(verify(text, Buffer.alloc(0))).to.equal(false)
      const other = createEd25519Verifier(generateKeyPairSync('ed25519').publicKey, library)
      expect(other(text, signature)).to.equal(false)
    }
  })

  it('accept bytes that are a view of a larger buffer', () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    const all = randomBytes(300)
    const signature = createEd25519Signer(privateKey)(all.subarray(7, 200))
    const view = new Uint8Array(all.buffer, all.byteOffset + 7, 193)
    expect(createEd25519Verifier(publicKey)(view, new Uint8Array(signature))).to.equal(true)
  })
})

function flip(bytes: Buffer, bit: number): Buffer {
  const altered = Buffer.from(bytes)
  altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7))
  return altered
}
