import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { createEd25519Signer } from '../../../../server/external/ed25519/createEd25519Signer.ts'
import { createEd25519Verifier } from '../../../../server/external/ed25519/createEd25519Verifier.ts'

const KEYS = 20
const WITHOUT_LIBRARY = null

describe('Ed25519 of libsodium and of Node', () => {
  const publicOf = (key: KeyObject): KeyObject => createPublicKey(key)

  it('make the same signatures, and both accept them', async () => {
    for (let nth = 0; nth < KEYS; nth += 1) {
      const { privateKey } = generateKeyPairSync('ed25519')
      const text = randomBytes(nth * 20)
      const signature = createEd25519Signer(privateKey)(text)
      expect(createEd25519Signer(privateKey, WITHOUT_LIBRARY)(text)).to.deep.equal(signature)
      for (const library of [undefined, WITHOUT_LIBRARY]) {
        expect(await createEd25519Verifier(publicOf(privateKey), library)(text, signature)).to.equal(true)
      }
    }
  })

  it('refuse every altered signature, text and key, and signatures of another length, one at a time and many at once', async () => {
    const { privateKey } = generateKeyPairSync('ed25519')
    const text = randomBytes(100)
    const signature = createEd25519Signer(privateKey)(text)
    for (const library of [undefined, WITHOUT_LIBRARY]) {
      const verify = createEd25519Verifier(publicOf(privateKey), library)
      const bits = (bytes: Buffer) => Array.from({ length: 8 * bytes.length }, (_, bit) => flip(bytes, bit))
      const altered: [text: Buffer, signature: Buffer][] = [
        ...bits(signature).map((other): [Buffer, Buffer] => [text, other]),
        ...bits(text).map((other): [Buffer, Buffer] => [other, signature]),
        [text, signature.subarray(0, 63)],
        [text, Buffer.concat([signature, Buffer.of(0)])],
        [text, Buffer.alloc(0)],
      ]
      expect(await Promise.all(altered.map((one) => verify(...one)))).to.not.include(true)
      for (const one of altered.slice(0, 20)) expect(await verify(...one)).to.equal(false)
      const other = createEd25519Verifier(generateKeyPairSync('ed25519').publicKey, library)
      expect(await other(text, signature)).to.equal(false)
    }
  })

  it('accept bytes that are a view of a larger buffer', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    const all = randomBytes(300)
    const signature = createEd25519Signer(privateKey)(all.subarray(7, 200))
    const view = new Uint8Array(all.buffer, all.byteOffset + 7, 193)
    const verify = createEd25519Verifier(publicKey)
    const both = [verify(view, new Uint8Array(signature)), verify(view, new Uint8Array(signature))]
    expect(await Promise.all(both)).to.deep.equal([true, true])
  })
})

function flip(bytes: Buffer, bit: number): Buffer {
  const altered = Buffer.from(bytes)
  altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7))
  return altered
}
