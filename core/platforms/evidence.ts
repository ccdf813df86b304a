/**
 * How sure it is that a request comes from the platform it names, weakest first.
 *
 * `ip_verified` and `fcrdns_verified` are one rank; address and user agent are the word of the counterparty that
 * reports them, so both are as good as it is. `signature_verified` rests on the platform's key alone.
 *
 * Source: verification.md "Anonymous branch".
 */
export const EVIDENCE_GRADES = ['ua_claim', 'fcrdns_verified', 'ip_verified', 'signature_verified'] as const

export type EvidenceGrade = (typeof EVIDENCE_GRADES)[number]
