import type { Validity } from './validity.ts'

/** What is known of a credential once it was verified. */
export type VerifiedCredential = Validity & {
  /** What no two agents can both hold of it; hashed before it is stored. */
  claim: string
  /** Whom it speaks of. */
  subject: string
  issuer: string | null
  /** By which the holder proved to be it. */
  algorithm: string
}
