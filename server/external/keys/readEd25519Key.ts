import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { writeFileOnce } from '../writeFileOnce.ts'

/**
 * Reads an Ed25519 key that signs for the registry, or creates its file, readable by its owner only.
 *
 * @throws Error when the file contains anything else. It is not replaced, because verifiers know the signer by its key.
 * Source: RFC 8037 §2.
 */
export function readEd25519Key(file: string): KeyObject {
  if (!existsSync(file)) {
    const { privateKey } = generateKeyPairSync('ed25519')
    writeFileOnce(file, JSON.stringify(privateKey.export({ format: 'jwk' })))
  }
  try {
    const key = createPrivateKey({ key: JSON.parse(readFileSync(file, 'utf8')), format: 'jwk' })
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch {
    // The cause is omitted, because it might quote part of the key.
  }
  throw new Error(`${file} does not contain an Ed25519 private key as a JWK`)
}
