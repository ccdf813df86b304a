/** Reasons to reject a credential, each with the field it concerns. */
const FAULTS = {
  malformed: { pointer: '/value', message: 'is not a credential of this type' },
  unsupported: { pointer: '/value', message: 'uses an unsupported method or algorithm' },
  unresolvable: { pointer: '/value', message: 'names a DID or key that cannot be resolved' },
  bad_signature: { pointer: '/value', message: 'is not signed by its issuer' },
  untrusted: { pointer: '/value', message: 'does not chain to a trusted root certificate' },
  not_bound: { pointer: '/value', message: 'names no holder key to prove possession of' },
  wrong_audience: { pointer: '/value', message: 'is meant for another audience' },
  wrong_usage: { pointer: '/value', message: 'is not for signatures' },
  not_yet_valid: { pointer: '/value', message: 'is not valid yet' },
  expired: { pointer: '/value', message: 'has expired' },
  bad_proof: {
    pointer: '/proof',
    message: 'is not a signature by the holder’s key over this challenge for this agent',
  },
} as const

export type FaultCode = keyof typeof FAULTS

/** Rejects a credential; the verifier returns `field`. */
export class CredentialFault extends Error {
  readonly field: { pointer: string; code: FaultCode; message: string }

  constructor(code: FaultCode, cause?: unknown) {
    super(FAULTS[code].message, { cause })
    this.field = { ...FAULTS[code], code }
  }
}
