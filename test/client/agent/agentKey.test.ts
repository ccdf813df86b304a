import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { exportPublicKey, generateAgentKey, importAgentKey, type KeyAlgorithm } from '@svc/client'
import { expect } from 'chai'
import { calculateJwkThumbprint } from 'jose'

const ALGORITHMS: readonly KeyAlgorithm[] = ['ed25519', 'ecdsa-p256-sha256']

/** Whether the public half, read by another library, verifies a signature. */
function isSigned(jwk: object, algorithm: KeyAlgorithm, text: string, signature: Uint8Array): boolean {
  const key = createPublicKey({ key: { ...jwk }, format: 'jwk' })
  const hash = algorithm === 'ed25519' ? null : 'sha256'
  return verify(hash, Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }, signature)
}

const failureOf = async (work: Promise<unknown>) =>
  work.then(
    (value) => `none: ${value}`,
    (error: Error) => error.message,
  )

for (const algorithm of ALGORITHMS) {
  describe(`a key with the algorithm ${algorithm}`, () => {
    it('signs what its public half verifies, and is named by its thumbprint', async () => {
      const key = await generateAgentKey({ algorithm })
      const { kid, ...jwk } = await exportPublicKey(key)
      expect(isSigned(jwk, algorithm, 'täxt', await key.sign('täxt'))).to.equal(true)
      expect(isSigned(jwk, algorithm, 'text', await key.sign('täxt'))).to.equal(false)
      const thumbprint = await calculateJwkThumbprint({ ...jwk }, 'sha256')
      expect([key.keyid, kid, key.algorithm]).to.deep.equal([thumbprint, thumbprint, algorithm])
    })

    it('does not leave the platform unless it is made extractable', async () => {
      const exported = async (extractable?: boolean) => {
        const { pair } = await generateAgentKey({ algorithm, extractable })
        return failureOf(crypto.subtle.exportKey('jwk', pair.privateKey).then((jwk) => typeof jwk.d))
      }
      expect(await exported()).to.match(/not extractable/)
      expect(await exported(true)).to.equal('none: string')
    })

    it('never shows its private half with the public one', async () => {
      const { x, y, ...rest } = await exportPublicKey(
        await generateAgentKey({ algorithm, extractable: true }),
      )
      expect(Object.keys(rest).sort()).to.deep.equal(['crv', 'kid', 'kty'])
      expect([typeof x, typeof y]).to.deep.equal(['string', algorithm === 'ed25519' ? 'undefined' : 'string'])
    })

    it('is the same key when it is imported as a JWK, and cannot be exported again', async () => {
      const original = await generateAgentKey({ algorithm, extractable: true })
      const jwk = await crypto.subtle.exportKey('jwk', original.pair.privateKey)
      const imported = await importAgentKey(jwk)
      expect(imported.keyid).to.equal(original.keyid)
      const publicKey = await exportPublicKey(original)
      expect(isSigned(publicKey, algorithm, 'text', await imported.sign('text'))).to.equal(true)
      expect(await failureOf(crypto.subtle.exportKey('jwk', imported.pair.privateKey))).to.match(
        /not extractable/,
      )
    })

    it('is the same key when its pair comes back from a store', async () => {
      const { keyid, pair } = await generateAgentKey({ algorithm })
      const imported = await importAgentKey(structuredClone(pair))
      expect([imported.keyid, imported.algorithm]).to.deep.equal([keyid, algorithm])
    })

    it('is not imported with the public half of another key', async () => {
      const [mine, other] = await Promise.all([
        generateAgentKey({ algorithm, extractable: true }),
        generateAgentKey({ algorithm }),
      ])
      const pair = { privateKey: mine.pair.privateKey, publicKey: other.pair.publicKey }
      expect(await failureOf(importAgentKey(pair))).to.match(/does not belong to the public key/)
      const { x, y } = await exportPublicKey(other)
      const jwk = await crypto.subtle.exportKey('jwk', mine.pair.privateKey)
      expect(await failureOf(importAgentKey({ ...jwk, x, y }))).to.not.match(/^none/)
    })
  })
}

describe('importAgentKey', () => {
  it('takes no other keys, and no public ones', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    const others = [
      generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey,
      generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
      generateKeyPairSync('x25519').privateKey,
      publicKey,
    ]
    for (const other of others) {
      expect(await failureOf(importAgentKey(other.export({ format: 'jwk' })))).to.match(
        /^expected a private Ed25519 or P-256 key/,
      )
    }
    expect(await failureOf(importAgentKey({}))).to.match(/^expected a private Ed25519 or P-256 key/)
    const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-384' }, false, [
      'sign',
      'verify',
    ])
    expect(await failureOf(importAgentKey(pair))).to.match(/^expected a private Ed25519 or P-256 key/)
    expect((await importAgentKey(privateKey.export({ format: 'jwk' }))).algorithm).to.equal('ed25519')
  })
})
