import { isDerSignature } from '@svc/core/signing/isDerSignature.ts'

/** The parts of a stored credential that a ceremony needs; bytes are base64url. */
type Credential = { credentialId: string; publicKey: string; counter: number; transports: string[] }

/** The JSON response of `navigator.credentials.get`. Source: WebAuthn 3 §5.1. */
export type AssertionResponse = {
  id: string
  rawId: string
  type: 'public-key'
  response: {
    clientDataJSON: string
    authenticatorData: string
    signature: string
    userHandle?: string | undefined
  }
}

/** The JSON response of `navigator.credentials.create`. Source: WebAuthn 3 §5.1. */
export type RegistrationResponse = {
  id: string
  rawId: string
  type: 'public-key'
  response: { clientDataJSON: string; attestationObject: string; transports?: string[] | undefined }
}

/** A newly registered credential. */
export type NewCredential = Credential & {
  deviceType: 'singleDevice' | 'multiDevice'
  isBackedUp: boolean
  rpId: string
}

/** The facts of a valid assertion. */
export type AssertionFacts = { counter: number; isBackedUp: boolean; rpId: string }

/** `reason` is for the log only. */
type Verdict<Facts> = { ok: true; facts: Facts } | { ok: false; reason: string }

export type PasskeyCeremonies = ReturnType<typeof createPasskeyCeremonies>

export type PasskeyCeremoniesOptions = {
  /** URL of the dashboard; its origin is expected in ceremonies, and its host name is the relying party ID. */
  appUrl: string
}

const RP_NAME = 'Agent registry'
const TIMEOUT_MS = 5 * 60 * 1000
const ES256 = -7
/** Ed25519, ES256, RS256. Source: IANA COSE Algorithms. */
const ALGORITHMS = [-8, ES256, -257]

/**
 * Builds the options of WebAuthn ceremonies and verifies the responses.
 *
 * User verification (PIN, fingerprint, face) is required. The page must be the dashboard itself, not a frame in another
 * site. A signature counter that does not increase is refused, because it indicates a cloned authenticator. Attestation is
 * not requested, because the make of an authenticator does not matter here. Source: WebAuthn 3 §7.1, §7.2.
 */
export function createPasskeyCeremonies({ appUrl }: PasskeyCeremoniesOptions) {
  const { origin, hostname } = new URL(appUrl)
  return {
    /** The host that passkeys belong to. Source: WebAuthn 3 §4, "RP ID". */
    rpId: hostname,

    /** Builds options for `navigator.credentials.create`, excluding the authenticators of the `registered` credentials. */
    async registrationOptions(input: {
      user: { id: string; name: string; displayName: string }
      challenge: Uint8Array
      registered: readonly Credential[]
    }) {
      const { generateRegistrationOptions } = await loadLibrary()
      return await generateRegistrationOptions({
        rpName: RP_NAME,
        rpID: hostname,
        userID: Uint8Array.from(Buffer.from(input.user.id)),
        userName: input.user.name,
        userDisplayName: input.user.displayName,
        challenge: Uint8Array.from(input.challenge),
        timeout: TIMEOUT_MS,
        attestationType: 'none',
        excludeCredentials: input.registered.map(descriptorOf),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        supportedAlgorithmIDs: ALGORITHMS,
      })
    },

    /** Builds options for `navigator.credentials.get`; without `allowed`, any discoverable credential is accepted. */
    async assertionOptions(input: { challenge: Uint8Array; allowed?: readonly Credential[] }) {
      const { generateAuthenticationOptions } = await loadLibrary()
      return await generateAuthenticationOptions({
        rpID: hostname,
        challenge: Uint8Array.from(input.challenge),
        timeout: TIMEOUT_MS,
        userVerification: 'required',
        ...(input.allowed ? { allowCredentials: input.allowed.map(descriptorOf) } : {}),
      })
    },

    /** Reads the unverified challenge of a response; null when it is malformed. */
    challengeOf({ response }: RegistrationResponse | AssertionResponse): Uint8Array | null {
      try {
        const { challenge } = parseClientData(response.clientDataJSON)
        return typeof challenge === 'string' ? Buffer.from(challenge, 'base64url') : null
      } catch {
        return null
      }
    },

    async verifyRegistration(input: {
      response: RegistrationResponse
      challenge: Uint8Array
    }): Promise<Verdict<NewCredential>> {
      const { id, rawId, type, response } = input.response
      const { clientDataJSON, attestationObject, transports = [] } = response
      return toVerdict(async () => {
        refuseForeignFrame(clientDataJSON)
        const { verifyRegistrationResponse } = await loadLibrary()
        const { registrationInfo } = await verifyRegistrationResponse({
          response: {
            id,
            rawId,
            type,
            response: { clientDataJSON, attestationObject },
            clientExtensionResults: {},
          },
          expectedChallenge: Buffer.from(input.challenge).toString('base64url'),
          expectedOrigin: origin,
          expectedRPID: hostname,
          requireUserVerification: true,
          supportedAlgorithmIDs: ALGORITHMS,
        })
        if (!registrationInfo) throw new Error('the attestation does not verify')
        const { credential, credentialDeviceType, credentialBackedUp } = registrationInfo
        return {
          credentialId: credential.id,
          publicKey: Buffer.from(credential.publicKey).toString('base64url'),
          counter: credential.counter,
          transports,
          deviceType: credentialDeviceType,
          isBackedUp: credentialBackedUp,
          rpId: hostname,
        }
      })
    },

    async verifyAssertion(input: {
      response: AssertionResponse
      challenge: Uint8Array
      credential: Credential
    }): Promise<Verdict<AssertionFacts>> {
      const { credential } = input
      const { id, rawId, type, response } = input.response
      const { clientDataJSON, authenticatorData, signature } = response
      return toVerdict(async () => {
        refuseForeignFrame(clientDataJSON)
        const publicKey = Uint8Array.from(Buffer.from(credential.publicKey, 'base64url'))
        await refuseOtherEncoding(publicKey, signature)
        const { verifyAuthenticationResponse } = await loadLibrary()
        const { verified, authenticationInfo } = await verifyAuthenticationResponse({
          response: {
            id,
            rawId,
            type,
            response: { clientDataJSON, authenticatorData, signature },
            clientExtensionResults: {},
          },
          expectedChallenge: Buffer.from(input.challenge).toString('base64url'),
          expectedOrigin: origin,
          expectedRPID: hostname,
          credential: {
            id: credential.credentialId,
            publicKey,
            counter: credential.counter,
          },
          requireUserVerification: true,
        })
        if (!verified) throw new Error('the signature does not verify')
        return {
          counter: authenticationInfo.newCounter,
          isBackedUp: authenticationInfo.credentialBackedUp,
          rpId: hostname,
        }
      })
    },
  }
}

/** Loads the library at the first ceremony, because its modules take a tenth of the time of a start. */
function loadLibrary() {
  return import('@simplewebauthn/server')
}

function parseClientData(clientDataJSON: string): { challenge?: unknown; crossOrigin?: unknown } {
  return Object(JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8')))
}

function descriptorOf({ credentialId, transports }: Credential) {
  return { id: credentialId, transports }
}

/** The dashboard is never framed, so it did not request a response created in a frame of another site. */
function refuseForeignFrame(clientDataJSON: string): void {
  if (parseClientData(clientDataJSON).crossOrigin) throw new Error('created in a frame of another site')
}

/** The library also accepts signatures that are not DER, so an altered signature could verify like the original. */
async function refuseOtherEncoding(publicKey: Uint8Array<ArrayBuffer>, signature: string): Promise<void> {
  const { cose, decodeCredentialPublicKey } = await import('@simplewebauthn/server/helpers')
  const algorithm = decodeCredentialPublicKey(publicKey).get(cose.COSEKEYS.alg)
  if (algorithm !== ES256 || isDerSignature(Buffer.from(signature, 'base64url'))) return
  throw new Error('the signature is not encoded in DER')
}

/** The library throws for invalid and malformed responses alike; both are refusals here. */
async function toVerdict<Facts>(verify: () => Promise<Facts>): Promise<Verdict<Facts>> {
  try {
    return { ok: true, facts: await verify() }
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) }
  }
}
