import { generateKeyPairSync, sign } from 'node:crypto'
import { createRequire } from 'node:module'
import { importVerifyingKey } from '@svc/client/signatures/importVerifyingKey.ts'
import { expect } from 'chai'

const KINDS = {
  ed25519: generateKeyPairSync('ed25519'),
  'ecdsa-p256-sha256': generateKeyPairSync('ec', { namedCurve: 'P-256' }),
}

describe('importVerifyingKey', () => {
  const { getBuiltinModule } = process
  afterEach(() => {
    process.getBuiltinModule = getBuiltinModule
  })

  const hideModules = (missing: readonly string[]) => {
    process.getBuiltinModule = ((name: string) =>
      missing.includes(name) ? undefined : getBuiltinModule(name)) as typeof getBuiltinModule
  }

  /** The modules that a place does not have, and who checks Ed25519 signatures there. */
  const places: Readonly<Record<string, { missing: readonly string[]; checker: string }>> = {
    'with libsodium': { missing: [], checker: 'libsodium' },
    'without libsodium': { missing: ['node:module'], checker: 'Node' },
    'at the edge': { missing: ['node:module', 'node:crypto'], checker: 'Web Crypto' },
  }
  /** Texts for and beyond the memory into which they are encoded. */
  const texts = ['"@method": GET', `${'x'.repeat(4_095)}é`, 'é'.repeat(5_000)]
  for (const [place, { missing, checker }] of Object.entries(places)) {
    for (const [alg, { publicKey, privateKey }] of Object.entries(KINDS)) {
      it(`accepts what the ${alg} key signed, and nothing else, ${place}`, async () => {
        hideModules(missing)
        const digest = alg === 'ed25519' ? null : 'sha256'
        const key = await importVerifyingKey({ ...publicKey.export({ format: 'jwk' }) })
        for (const text of texts) {
          const signature = new Uint8Array(
            sign(digest, Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' }),
          )
          const verifies = async (signedText: string, signed: Uint8Array<ArrayBuffer>, named?: string) =>
            key?.verifies(signedText, signed, named)
          expect(await verifies(text, signature)).to.equal(true)
          expect(await verifies(text, signature, alg)).to.equal(true)
          expect(await verifies(text, signature, 'hmac-sha256')).to.equal(false)
          expect(await verifies(`${text} `, signature)).to.equal(false)
          expect(await verifies(`${text.slice(0, -1)}è`, signature)).to.equal(false)
          expect(await verifies(text, signature.subarray(1))).to.equal(false)
          for (let at = 0; at < signature.length; at += 7) {
            const changed = signature.slice()
            changed[at] = (changed[at] ?? 0) ^ 1
            expect(await verifies(text, changed), `byte ${at}`).to.equal(false)
          }
        }
      })
    }

    it(`has Ed25519 signatures checked by ${checker}, ${place}`, async () => {
      hideModules(missing)
      const { publicKey, privateKey } = KINDS.ed25519
      const key = await importVerifyingKey({ ...publicKey.export({ format: 'jwk' }) })
      const checks = countChecks()
      const result = key?.verifies('a', new Uint8Array(sign(null, Buffer.from('a'), privateKey)))
      checks.stop()
      expect(result instanceof Promise).to.equal(checker === 'Web Crypto')
      expect(await result).to.equal(true)
      expect(checks.count).to.equal(checker === 'libsodium' ? 1 : 0)
    })
  }

  it('knows no key on another curve, and rejects one that is none', async () => {
    const other = generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).publicKey.export({ format: 'jwk' })
    expect(await importVerifyingKey({ ...other })).to.equal(undefined)
    const imported = importVerifyingKey({ kty: 'OKP', crv: 'Ed25519', x: 'AA' })
    expect(await imported.catch(({ name }: DOMException) => name)).to.equal('DataError')
  })
})

/** Counts the checks that libsodium makes. */
function countChecks() {
  const sodium = createRequire(import.meta.url)('sodium-native')
  const { crypto_sign_verify_detached: check } = sodium
  const checks = {
    count: 0,
    stop() {
      sodium.crypto_sign_verify_detached = check
    },
  }
  sodium.crypto_sign_verify_detached = (...parts: unknown[]) => {
    checks.count += 1
    return check(...parts)
  }
  return checks
}
