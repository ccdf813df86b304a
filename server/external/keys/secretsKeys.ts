import { hkdfSync } from 'node:crypto'

const KEY_BYTES = 32
const ID_BYTES = 6

/** A key that encrypts stored secrets, and the 48-bit id, in hex, by which they name it; the id does not reveal the key. */
type SecretsKey = { id: string; bytes: Uint8Array }

/** The key that encrypts, and those that only decrypt. */
export type SecretsKeys = readonly [current: SecretsKey, ...others: SecretsKey[]]

/** Creates the keys from their bytes. @throws Error for a key of another length. */
export function createSecretsKeys(current: Uint8Array, ...others: Uint8Array[]): SecretsKeys {
  return [keyOf(current), ...others.map(keyOf)]
}

/**
 * Opens a ciphertext with the key that it names, or with the first one that fits if it names none.
 *
 * @throws Error if no key fits.
 */
export function openWithAny<Opened>(
  keys: SecretsKeys,
  id: string | null,
  open: (key: Uint8Array) => Opened,
): Opened {
  let failure: unknown = new Error(`sealed with an unknown key, ${id}`)
  for (const key of keys) {
    if (id !== null && key.id !== id) continue
    try {
      return open(key.bytes)
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

function keyOf(bytes: Uint8Array): SecretsKey {
  if (bytes.length !== KEY_BYTES)
    throw new Error(`expected a secrets key of ${KEY_BYTES} bytes, got ${bytes.length}`)
  const id = Buffer.from(hkdfSync('sha256', bytes, '', 'svc secrets key id', ID_BYTES)).toString('hex')
  return { id, bytes }
}
