import { generateURI, ScureBase32Plugin, verifySync } from 'otplib'

/** As long as the output of the hash. Source: RFC 4226 §4 R6. */
const SECRET_BYTES = 20
/** A code is accepted one step early or late, because clocks differ and people type slowly. Source: RFC 6238 §5.2. */
const TOLERANCE_SECONDS = 30

export type TotpCodes = ReturnType<typeof createTotpCodes>

/**
 * Verifies codes of authenticator apps: six digits, SHA-1, 30 seconds, which every app supports.
 *
 * @param issuer The name of the service in the app. Source: RFC 6238; Key URI Format.
 */
export function createTotpCodes(issuer: string) {
  const base32 = new ScureBase32Plugin()
  return {
    newSecret: (randomBytes: (length: number) => Uint8Array): string =>
      base32.encode(Uint8Array.from(randomBytes(SECRET_BYTES))),

    /** Builds the URL that an app scans as a QR code. */
    otpauthUrl: (secret: string, label: string): string => generateURI({ issuer, label, secret }),

    /** Returns the time step of a code that is valid at `now`, in epoch milliseconds; null for an invalid code. */
    stepOf(secret: string, code: string, now: number): number | null {
      const epoch = Math.floor(now / 1000)
      const verdict = verifySync({ secret, token: code, epoch, epochTolerance: TOLERANCE_SECONDS })
      return verdict.valid && 'timeStep' in verdict ? verdict.timeStep : null
    },
  }
}
