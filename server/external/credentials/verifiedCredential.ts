import type { Validity } from './readValidity.ts'

/** The facts established by verifying a credential. */
export type VerifiedCredential = Validity & {
  /** What identifies the credential: two agents cannot both have it. Stored as a hash. */
  claim: string
  /** Whom the credential is about. */
  subject: string
  issuer: string | null
  /** The algorithm of the holder's proof. */
  algorithm: string
}
