/**
 * Who is asking, as far as the credential proves it.
 *
 * `actsFor` holds the owner identifiers (`SVCD-`, `SVCO-`) the caller may speak for: its own, and every
 * organisation it is an active member of. `writesFor` leaves out those in which it only reads. Source: `Spec: Authentication`.
 */
export type Principal =
  | { kind: 'nobody' }
  | {
      kind: 'apiKey'
      keyId: string
      userId: string
      developerId: string
      /** The organisation the key was created in; null for a personal key. */
      organizationId: string | null
      /** Whose key signed the request as well; EIP-55. */
      signedBy?: `0x${string}`
      actsFor: ReadonlySet<string>
      writesFor: ReadonlySet<string>
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
    }
  | {
      kind: 'signature'
      address: `0x${string}`
      /** `X-Svc-Nonce` of the signed request, used once with this address. */
      nonce: string
    }
  | {
      /** An agent that has shown its own token; it speaks for no account. */
      kind: 'agent'
      svcId: string
    }

export type ApiKeyPrincipal = Extract<Principal, { kind: 'apiKey' }>
export type SessionPrincipal = Extract<Principal, { kind: 'session' }>
export type SignaturePrincipal = Extract<Principal, { kind: 'signature' }>
