import { generateURI, ScureBase32Plugin, verifySync } from 'otplib'

/** Bytes of a secret, as many as the hash has. Source: RFC 4226 §4 R6. */
const SECRET_BYTES = 20
/** A code counts one step before and after its own: clocks differ, and people type slowly. Source: RFC 6238 §5.2. */
const TOLERANCE_SECONDS = 30

export type TotpCodes = ReturnType<typeof createTotpCodes>

/**
 * Codes of authenticator apps: six digits, SHA-1, 30 seconds, which every app understands.
 *
 * @param issuer What the app calls the service. Source: RFC 6238; Key URI Format.
 */
export function createTotpCodes(issuer: string) {
  const base32 = new ScureBase32Plugin()
  return {
    newSecret: (randomBytes: (length: number) => Uint8Array): string =>
      base32.encode(Uint8Array.from(randomBytes(SECRET_BYTES))),

    /** What an app reads out of a QR code. */
    otpauthUrl: (secret: string, label: string): string => generateURI({ issuer, label, secret }),

    /** The time step a code of six digits belongs to at `now`, in epoch milliseconds; null for a wrong one. */
    stepOf(secret: string, code: string, now: number): number | null {
      const epoch = Math.floor(now / 1000)
      const verdict = verifySync({ secret, token: code, epoch, epochTolerance: TOLERANCE_SECONDS })
      return verdict.valid && 'timeStep' in verdict ? verdict.timeStep : null
    },
  }
}
