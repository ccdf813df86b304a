import { hash, verify } from '@node-rs/argon2'

/** Checks passwords without keeping them. */
export type PasswordHasher = {
  /** PHC string of argon2id with a salt of its own. */
  hash(password: string): Promise<string>
  /** With null, for an account that has no password or does not exist, it does the same work and answers false. */
  verify(storedHash: string | null, password: string): Promise<boolean>
}

/** What a hash costs; memory in KiB. */
type Work = { memoryCost: number; timeCost: number; parallelism: number }

/** Source: OWASP Password Storage Cheat Sheet, argon2id m=19456, t=2, p=1. */
const RECOMMENDED: Work = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * argon2id (the library's default kind) in the platform's thread pool: a login never holds up the event loop.
 *
 * Passwords are compared in Unicode form NFKC, because keyboards differ in the form they send. Source: RFC 9106.
 *
 * @param work What OWASP recommends unless given: less of it is for tests alone.
 */
export function createPasswordHasher(work: Work = RECOMMENDED): PasswordHasher {
  const nobodys = nobodysHash(work)
  return {
    hash: (password) => hash(password.normalize('NFKC'), work),
    async verify(storedHash, password) {
      const isRight = await verify(storedHash ?? nobodys, password.normalize('NFKC'))
      return isRight && storedHash !== null
    },
  }
}

/** Of an account that does not exist: a salt and a digest that no password is known to have, for the same work. */
function nobodysHash({ memoryCost, timeCost, parallelism }: Work): string {
  return [
    '$argon2id$v=19',
    `m=${memoryCost},t=${timeCost},p=${parallelism}`,
    unpadded(Buffer.alloc(16, 'nobody')),
    unpadded(Buffer.alloc(32, 'nobody')),
  ].join('$')
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
