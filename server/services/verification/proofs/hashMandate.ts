import type { CallerMetadata } from '@svc/core/access/verificationRequest.ts'
import type { MandateProtocol, PresentedMandate } from '@svc/core/commerce/mandates/presentedMandate.ts'
import { sha256Hex } from '@svc/core/hash.ts'

/** What is recorded of a payment mandate: never the mandate itself, with which anyone could pay. */
export type CheckedMandate = {
  protocol: MandateProtocol
  /** SHA-256 of the mandate as it was presented. */
  hash: string
  isWrong: boolean
  /** False if its terms are only stated, and not signed. */
  isSigned: boolean
  /** False if it is not proven that the agent holds it. Absent from records that are older than this. */
  isHolderProven?: boolean
}

/** Hashes a mandate as it was presented; that of the Trusted Agent Protocol is the signature of the request. */
export function hashMandate(
  { protocol, value = '' }: PresentedMandate,
  metadata: CallerMetadata | undefined,
): string {
  const { signatureInput = '', signature = '' } = metadata ?? {}
  return `0x${sha256Hex(protocol === 'tap' ? `${signatureInput}\n${signature}` : value)}`
}
