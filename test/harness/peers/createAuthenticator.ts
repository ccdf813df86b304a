import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { encodeCbor } from './encodeCbor.ts'

/** What a test makes go wrong in one response; everything else is valid. */
export type AuthenticatorFaults = {
  origin?: string
  rpId?: string
  challenge?: string
  type?: string
  crossOrigin?: boolean
  /** Flags of the authenticator data. Source: WebAuthn 3 §6.1. */
  flags?: number
  /** Signature counter in this response. */
  counter?: number
  userHandle?: string
}

const UP = 0x01
const UV = 0x04
const AT = 0x40

export type Authenticator = ReturnType<typeof createAuthenticator>

/**
 * Creates a software authenticator together with its browser: one discoverable ES256 credential, the user present and
 * verified, a counter that increases by one with each assertion, attestation `none`.
 *
 * @param page Origin of the page, and the relying party's id, which is its host name.
 */
export function createAuthenticator(page: { origin: string; rpId: string }) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const credentialId = randomBytes(16)
  const id = credentialId.toString('base64url')
  let counter = 0
  let userHandle: string | undefined

  const encodeClientData = (type: string, challenge: string, faults: AuthenticatorFaults) =>
    Buffer.from(
      JSON.stringify({
        type: faults.type ?? type,
        challenge: faults.challenge ?? challenge,
        origin: faults.origin ?? page.origin,
        crossOrigin: faults.crossOrigin ?? false,
      }),
    )
  const encodeAuthenticatorData = (flags: number, faults: AuthenticatorFaults) => {
    const head = Buffer.alloc(37)
    createHash('sha256')
      .update(faults.rpId ?? page.rpId)
      .digest()
      .copy(head)
    head.writeUInt8(faults.flags ?? flags, 32)
    head.writeUInt32BE(faults.counter ?? counter, 33)
    return head
  }

  return {
    credentialId: id,

    /** Responds to the options of a registration, as `navigator.credentials.create` would. */
    register(options: { challenge: string; user: { id: string } }, faults: AuthenticatorFaults = {}) {
      userHandle = options.user.id
      const coseKey = encodeCbor(
        new Map<number, number | Uint8Array>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Buffer.from(x, 'base64url')],
          [-3, Buffer.from(y, 'base64url')],
        ]),
      )
      const length = Buffer.from([0, credentialId.length])
      const head = encodeAuthenticatorData(UP | UV | AT, faults)
      const authData = Buffer.concat([head, Buffer.alloc(16), length, credentialId, coseKey])
      const attestationObject = encodeCbor(
        new Map<string, string | Uint8Array | Map<string, string>>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', authData],
        ]),
      )
      return {
        id,
        rawId: id,
        type: 'public-key' as const,
        clientExtensionResults: {},
        response: {
          clientDataJSON: encodeClientData('webauthn.create', options.challenge, faults).toString(
            'base64url',
          ),
          attestationObject: attestationObject.toString('base64url'),
          transports: ['internal'],
        },
      }
    },

    /** Responds to the options of an assertion, as `navigator.credentials.get` would. */
    assert(options: { challenge: string }, faults: AuthenticatorFaults = {}) {
      counter += 1
      const authData = encodeAuthenticatorData(UP | UV, faults)
      const client = encodeClientData('webauthn.get', options.challenge, faults)
      const signed = Buffer.concat([authData, createHash('sha256').update(client).digest()])
      return {
        id,
        rawId: id,
        type: 'public-key' as const,
        clientExtensionResults: {},
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: authData.toString('base64url'),
          signature: sign('sha256', signed, privateKey).toString('base64url'),
          userHandle: faults.userHandle ?? userHandle,
        },
      }
    },
  }
}
