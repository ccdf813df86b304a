import type { VerificationRequest } from '@svc/core/access/verificationRequest.ts'
import type { MandateProtocol } from '@svc/core/commerce/mandates/presentedMandate.ts'
import { sha256Hex } from '@svc/core/hash.ts'

/** What is recorded of a payment mandate: never the mandate itself, with which anyone could pay. */
export type CheckedMandate = {
  protocol: MandateProtocol
  /** SHA-256 of the mandate as it was presented. */
  hash: string
  isWrong: boolean
  /** False if its terms are only stated, and not signed. */
  isSigned: boolean
}

/** Hashes the mandate of a request as it was presented; one without a value is the signature of the request. */
export function hashMandate({ mandate, callerMetadata }: VerificationRequest): string {
  const { signatureInput = '', signature = '' } = callerMetadata ?? {}
  return `0x${sha256Hex(mandate?.value ?? `${signatureInput}\n${signature}`)}`
}
