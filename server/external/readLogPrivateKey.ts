import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { writeFileOnce } from './writeFileOnce.ts'

/**
 * The Ed25519 key that signs checkpoints of the audit log: read from its file, which only its owner may read, and made
 * when there is none.
 *
 * @throws Error when the file holds something else: whoever knows the log by its key would take it for another log.
 * Source: RFC 8037 §2.
 */
export function readLogPrivateKey(file: string): KeyObject {
  if (!existsSync(file)) {
    const { privateKey } = generateKeyPairSync('ed25519')
    writeFileOnce(file, JSON.stringify(privateKey.export({ format: 'jwk' })))
  }
  try {
    const key = createPrivateKey({ key: JSON.parse(readFileSync(file, 'utf8')), format: 'jwk' })
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch {
    // The cause is left out: it could repeat a part of the key.
  }
  throw new Error(`${file} does not hold an Ed25519 private key as a JWK`)
}
