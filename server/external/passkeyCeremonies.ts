import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { cose, decodeClientDataJSON, decodeCredentialPublicKey } from '@simplewebauthn/server/helpers'
import { isDerSignature } from '@svc/core/signing/isDerSignature.ts'

/** A stored credential as far as a ceremony needs it; bytes are base64url. */
type Credential = { credentialId: string; publicKey: string; counter: number; transports: string[] }

/** What an authenticator answers to `navigator.credentials.get`, as JSON. Source: WebAuthn 3 §5.1. */
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

/** What an authenticator answers to `navigator.credentials.create`, as JSON. Source: WebAuthn 3 §5.1. */
export type RegistrationResponse = {
  id: string
  rawId: string
  type: 'public-key'
  response: { clientDataJSON: string; attestationObject: string; transports?: string[] | undefined }
}

/** A credential that was just made. */
export type NewCredential = Credential & { deviceType: 'singleDevice' | 'multiDevice'; isBackedUp: boolean }

/** What a good assertion says. */
export type AssertionFacts = { counter: number; isBackedUp: boolean }

/** `reason` is for the log only. */
type Verdict<Facts> = { ok: true; facts: Facts } | { ok: false; reason: string }

export type PasskeyCeremonies = ReturnType<typeof createPasskeyCeremonies>

export type PasskeyCeremoniesOptions = {
  /** Address of the dashboard: its origin is where ceremonies happen, its host name is the relying party. */
  appUrl: string
}

const RP_NAME = 'Agent registry'
const TIMEOUT_MS = 5 * 60 * 1000
const ES256 = -7
/** Ed25519, ES256, RS256. Source: IANA COSE Algorithms. */
const ALGORITHMS = [-8, ES256, -257]

/**
 * Makes the options of WebAuthn ceremonies and verifies what authenticators answer to them.
 *
 * The user is always verified (PIN, fingerprint, face), the page is the dashboard itself and not a frame in another,
 * and a signature counter that does not rise is refused, since it is the mark of a copied authenticator. Attestation
 * is not asked for: who made an authenticator changes nothing here. Source: WebAuthn 3 §7.1, §7.2.
 */
export function createPasskeyCeremonies({ appUrl }: PasskeyCeremoniesOptions) {
  const { origin, hostname } = new URL(appUrl)
  return {
    /** Options for `navigator.credentials.create`; `registered` are the credentials not to be made again. */
    registrationOptions(input: {
      user: { id: string; name: string; displayName: string }
      challenge: Uint8Array
      registered: readonly Credential[]
    }) {
      return generateRegistrationOptions({
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

    /** Options for `navigator.credentials.get`; without `allowed` the user picks among what the authenticator holds. */
    assertionOptions(input: { challenge: Uint8Array; allowed?: readonly Credential[] }) {
      return generateAuthenticationOptions({
        rpID: hostname,
        challenge: Uint8Array.from(input.challenge),
        timeout: TIMEOUT_MS,
        userVerification: 'required',
        ...(input.allowed ? { allowCredentials: input.allowed.map(descriptorOf) } : {}),
      })
    },

    /** The challenge that a response says it answers, unproven yet; null when that cannot be read. */
    challengeOf({ response }: RegistrationResponse | AssertionResponse): Uint8Array | null {
      try {
        const { challenge } = decodeClientDataJSON(response.clientDataJSON)
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
      return verdictOf(async () => {
        refuseForeignFrame(clientDataJSON)
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
      return verdictOf(async () => {
        refuseForeignFrame(clientDataJSON)
        const publicKey = Uint8Array.from(Buffer.from(credential.publicKey, 'base64url'))
        refuseOtherEncoding(publicKey, signature)
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
        }
      })
    },
  }
}

function descriptorOf({ credentialId, transports }: Credential) {
  return { id: credentialId, transports }
}

/** The dashboard is never framed, so an answer given in a frame of another site was not asked for by it. */
function refuseForeignFrame(clientDataJSON: string): void {
  if (decodeClientDataJSON(clientDataJSON).crossOrigin) throw new Error('given in a frame of another site')
}

/** The library also reads signatures that are not DER, so that an altered one could be as good as its original. */
function refuseOtherEncoding(publicKey: Uint8Array<ArrayBuffer>, signature: string): void {
  const algorithm = decodeCredentialPublicKey(publicKey).get(cose.COSEKEYS.alg)
  if (algorithm !== ES256 || isDerSignature(Buffer.from(signature, 'base64url'))) return
  throw new Error('the signature is not encoded in DER')
}

/** The library throws for a bad answer as for one that cannot be read; both are refusals here. */
async function verdictOf<Facts>(verify: () => Promise<Facts>): Promise<Verdict<Facts>> {
  try {
    return { ok: true, facts: await verify() }
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) }
  }
}
