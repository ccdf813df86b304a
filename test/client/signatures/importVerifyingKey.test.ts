import { generateKeyPairSync, sign } from 'node:crypto'
import { importVerifyingKey } from '@svc/client/signatures/importVerifyingKey.ts'
import { expect } from 'chai'

const TEXT = '"@method": GET'
const KINDS = {
  ed25519: generateKeyPairSync('ed25519'),
  'ecdsa-p256-sha256': generateKeyPairSync('ec', { namedCurve: 'P-256' }),
}

describe('importVerifyingKey', () => {
  const { getBuiltinModule } = process
  afterEach(() => {
    process.getBuiltinModule = getBuiltinModule
  })

  /** The modules that the process does not have. */
  const places: Readonly<Record<string, readonly string[]>> = {
    'with libsodium': [],
    'by Node’s own check': ['node:module'],
    'at the edge': ['node:module', 'node:crypto'],
  }
  for (const [place, missing] of Object.entries(places)) {
    for (const [alg, { publicKey, privateKey }] of Object.entries(KINDS)) {
      it(`accepts what the ${alg} key signed, and nothing else, ${place}`, async () => {
        process.getBuiltinModule = ((name: string) =>
          missing.includes(name) ? undefined : getBuiltinModule(name)) as typeof getBuiltinModule
        const digest = alg === 'ed25519' ? null : 'sha256'
        const signature = new Uint8Array(
          sign(digest, Buffer.from(TEXT), { key: privateKey, dsaEncoding: 'ieee-p1363' }),
        )
        const key = await importVerifyingKey({ ...publicKey.export({ format: 'jwk' }) })
        const verifies = async (text: string, signed: Uint8Array<ArrayBuffer>, named?: string) =>
          key?.verifies(text, signed, named)
        expect(await verifies(TEXT, signature)).to.equal(true)
        expect(await verifies(TEXT, signature, alg)).to.equal(true)
        expect(await verifies(TEXT, signature, 'hmac-sha256')).to.equal(false)
        expect(await verifies(`${TEXT} `, signature)).to.equal(false)
        expect(await verifies(TEXT, signature.subarray(1))).to.equal(false)
        for (let at = 0; at < signature.length; at += 7) {
          const changed = signature.slice()
          changed[at] = (changed[at] ?? 0) ^ 1
          expect(await verifies(TEXT, changed), `byte ${at}`).to.equal(false)
        }
      })
    }
  }

  it('knows no key on another curve, and rejects one that is none', async () => {
    const other = generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).publicKey.export({ format: 'jwk' })
    expect(await importVerifyingKey({ ...other })).to.equal(undefined)
    const imported = importVerifyingKey({ kty: 'OKP', crv: 'Ed25519', x: 'AA' })
    expect(await imported.catch(({ name }: DOMException) => name)).to.equal('DataError')
  })
})
