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

/**
 * argon2id (the library's default kind) in the platform's thread pool: a login never holds up the event loop.
 *
 * Passwords are compared in Unicode form NFKC, because keyboards differ in the form they send. Source: RFC 9106.
 */
export async function createPasswordHasher(): Promise<PasswordHasher> {
  const hashOf = (password: string) => hash(password.normalize('NFKC'), PARAMETERS)
  const nobodysHash = await hashOf('the password of nobody')
  return {
    hash: hashOf,
    async verify(storedHash, password) {
      const isRight = await verify(storedHash ?? nobodysHash, password.normalize('NFKC'))
      return isRight && storedHash !== null
    },
  }
}
