import { noteKeyId } from '@svc/core/audit/checkpoint.ts'
import { base64OfBytes, bytesOfBase64 } from '@svc/core/bytes.ts'
import { expect } from 'chai'

/** The verifier key that the documentation of Go's package note shows, in its three parts. */
const NAME = 'PeterNeumann'
const ID = 'c74f20a3'
const KEY = 'ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW'

describe('noteKeyId', () => {
  const publicKey = bytesOfBase64(KEY)?.subarray(1) ?? new Uint8Array()

  it('is that of a published key', () => {
    const { keyId, typedKey } = noteKeyId(NAME, publicKey)
    expect(Buffer.from(keyId).toString('hex')).to.equal(ID)
    expect(base64OfBytes(typedKey)).to.equal(KEY)
  })

  it('is another under another name', () => {
    expect(noteKeyId('Peter', publicKey).keyId).to.not.deep.equal(noteKeyId(NAME, publicKey).keyId)
  })

  it('is refused for a key that has not 32 bytes', () => {
    for (const length of [0, 31, 33]) {
      expect(() => noteKeyId(NAME, new Uint8Array(length))).to.throw(`has 32 bytes, not ${length}`)
    }
  })
})
