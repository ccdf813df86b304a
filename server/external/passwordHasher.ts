import { hash, verify } from '@node-rs/argon2'

/** Hashes and verifies passwords. */
export type PasswordHasher = {
  /** Returns a PHC string of argon2id with a random salt. */
  hash(password: string): Promise<string>
  /** With null, for an account without a password or a missing account, does the same work and returns false. */
  verify(storedHash: string | null, password: string): Promise<boolean>
}

/** The cost of a hash; memory in KiB. */
type Work = { memoryCost: number; timeCost: number; parallelism: number }

/** Source: OWASP Password Storage Cheat Sheet, argon2id m=19456, t=2, p=1. */
const RECOMMENDED: Work = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * Creates a hasher with argon2id (the library's default). It runs in the thread pool, so a login never blocks the event
 * loop.
 *
 * Passwords are normalised to Unicode NFKC, because keyboards differ in the form that they send. Source: RFC 9106.
 *
 * @param work Default the recommendation of OWASP; less is for tests only.
 */
export function createPasswordHasher(work: Work = RECOMMENDED): PasswordHasher {
  const dummy = createDummyHash(work)
  return {
    hash: (password) => hash(password.normalize('NFKC'), work),
    async verify(storedHash, password) {
      const isRight = await verify(storedHash ?? dummy, password.normalize('NFKC'))
      return isRight && storedHash !== null
    },
  }
}

/** Returns a hash of the same cost that no known password matches, to verify against for missing accounts. */
function createDummyHash({ memoryCost, timeCost, parallelism }: Work): string {
  return [
    '$argon2id$v=19',
    `m=${memoryCost},t=${timeCost},p=${parallelism}`,
    encodeUnpadded(Buffer.alloc(16, 'nobody')),
    encodeUnpadded(Buffer.alloc(32, 'nobody')),
  ].join('$')
}

function encodeUnpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
