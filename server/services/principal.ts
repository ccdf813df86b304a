/**
 * The caller, as far as its credential proves it.
 *
 * `actsFor` contains the owner identifiers (`SVCD-`, `SVCO-`) that the caller acts for: its own and those of the
 * organisations in which it is an active member. `writesFor` excludes those in which it may only read, among them those
 * that an operator has suspended (`suspendedOrganizations`). Source: `Spec: Authentication`.
 */
export type Principal =
  | { kind: 'nobody' }
  | {
      kind: 'apiKey'
      keyId: string
      userId: string
      /** The user for whom the key counts: its own, or the creator of its organisation. */
      personId: string
      developerId: string
      /** The organisation the key was created in; null for a personal key. */
      organizationId: string | null
      /** The address whose key also signed the request; EIP-55. */
      signedBy?: `0x${string}`
      actsFor: ReadonlySet<string>
      writesFor: ReadonlySet<string>
      suspendedOrganizations: ReadonlySet<string>
    }
  | {
      kind: 'session'
      sessionId: string
      userId: string
      developerId: string
      role: string
      /** How the user signed in. Source: RFC 8176. */
      amr: readonly string[]
      /** Epoch milliseconds of the sign-in. */
      authenticatedAt: number
      /** Whether a passkey was used in this session within the last minutes (`X-Svc-Elevation`). */
      isElevated: boolean
      actsFor: ReadonlySet<string>
      writesFor: ReadonlySet<string>
      suspendedOrganizations: ReadonlySet<string>
    }
  | {
      kind: 'signature'
      address: `0x${string}`
      /** `X-Svc-Nonce` of the signed request, used once with this address. */
      nonce: string
    }
  | {
      /** An agent that presented its own token; it acts for no account. */
      kind: 'agent'
      svcId: string
    }

export type ApiKeyPrincipal = Extract<Principal, { kind: 'apiKey' }>
export type SessionPrincipal = Extract<Principal, { kind: 'session' }>
export type SignaturePrincipal = Extract<Principal, { kind: 'signature' }>
