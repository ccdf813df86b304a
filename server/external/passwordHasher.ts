import { hash, verify } from '@node-rs/argon2'

/** Checks passwords without keeping them. */
export type PasswordHasher = {
  /** PHC string of argon2id with a salt of its own. */
  hash(password: string): Promise<string>
  /** With null, for an account that has no password or does not exist, it does the same work and answers false. */
  verify(storedHash: string | null, password: string): Promise<boolean>
}

/** Memory in KiB. Source: OWASP Password Storage Cheat Sheet, argon2id m=19456, t=2, p=1. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Of an account that does not exist: a salt and a digest that no password is known to have, for the same work. */
const NOBODYS_HASH = [
  '$argon2id$v=19',
  `m=${PARAMETERS.memoryCost},t=${PARAMETERS.timeCost},p=${PARAMETERS.parallelism}`,
  unpadded(Buffer.alloc(16, 'nobody')),
  unpadded(Buffer.alloc(32, 'nobody')),
].join('$')

/**
 * argon2id (the library's default kind) in the platform's thread pool: a login never holds up the event loop.
 *
 * Passwords are compared in Unicode form NFKC, because keyboards differ in the form they send. Source: RFC 9106.
 */
export function createPasswordHasher(): PasswordHasher {
  return {
    hash: (password) => hash(password.normalize('NFKC'), PARAMETERS),
    async verify(storedHash, password) {
      const isRight = await verify(storedHash ?? NOBODYS_HASH, password.normalize('NFKC'))
      return isRight && storedHash !== null
    },
  }
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
