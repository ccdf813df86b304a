/** What can be wrong with a credential that is to be stored, and with which of its fields. */
const FAULTS = {
  malformed: { pointer: '/value', message: 'is not a credential of this type' },
  unsupported: { pointer: '/value', message: 'is of a method or algorithm that is not supported' },
  unresolvable: { pointer: '/value', message: 'names a DID or key that cannot be read' },
  bad_signature: { pointer: '/value', message: 'is not signed by its issuer' },
  untrusted: { pointer: '/value', message: 'leads to no certificate that is trusted' },
  not_bound: { pointer: '/value', message: 'names no holder who could prove to be it' },
  not_yet_valid: { pointer: '/value', message: 'is not valid yet' },
  expired: { pointer: '/value', message: 'has expired' },
  bad_proof: {
    pointer: '/proof',
    message: 'does not show that the holder’s key answers this challenge for this agent',
  },
} as const

export type FaultCode = keyof typeof FAULTS

/** Ends the reading of a credential; the verifier answers with it. */
export class CredentialFault extends Error {
  readonly field: { pointer: string; code: FaultCode; message: string }

  constructor(code: FaultCode, cause?: unknown) {
    super(FAULTS[code].message, { cause })
    this.field = { ...FAULTS[code], code }
  }
}
