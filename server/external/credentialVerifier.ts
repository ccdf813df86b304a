import {
  deriveCredentialLookupKey,
  type StorableCredentialType,
} from '@svc/core/credentials/deriveCredentialLookupKey.ts'
import { parseDid } from '@svc/core/credentials/parseDid.ts'
import { sha256Hex } from '@svc/core/hash.ts'
import type { HolderStatement } from '@svc/core/signing/buildSignedRequestMessage.ts'
import { CredentialFault } from './credentials/credentialFault.ts'
import { createDidKeys } from './credentials/didKeys.ts'
import type { HolderClaim } from './credentials/parseProofToken.ts'
import { readSdJwt } from './credentials/readSdJwt.ts'
import { readVerifiableCredential } from './credentials/readVerifiableCredential.ts'
import { createTrustedRoots, type TrustedRoots } from './credentials/trustedRoots.ts'
import type { VerifiedCredential } from './credentials/verifiedCredential.ts'
import { type VerifyDidProofDeps, verifyDidProof } from './credentials/verifyDidProof.ts'
import type { GetText } from './outbound/outboundHttp.ts'
import { createSignatureVerifier } from './signatureVerifier.ts'

/** A credential offered for an agent, with the holder's answer to a challenge. */
type OfferedCredential = HolderStatement & {
  type: StorableCredentialType
  value: string
  proof: string | undefined
  now: number
  /** Surrounds whatever waits for the host of a DID. @throws ApiError if that is refused. */
  waitForHost<Result>(work: () => Promise<Result>): Promise<Result>
}

/** A verified credential with its lookup key and its uniqueness key. */
type FoundCredential = Omit<VerifiedCredential, 'claim'> & { lookupKey: string; claimKey: string }

export type CredentialVerifier = (
  offered: OfferedCredential,
) => Promise<{ ok: true; credential: FoundCredential } | { ok: false; field: CredentialFault['field'] }>

export type CredentialVerifierOptions = {
  getText: GetText
  /** PEM file of the trusted root certificates; default those of Node. */
  rootsFile: string | undefined
}

/**
 * Creates the function that verifies third-party credentials before they are stored.
 *
 * Every credential needs proof of its holder's consent: DIDs and certificates are public, so anyone could offer another's.
 */
export function createCredentialVerifier(options: CredentialVerifierOptions): CredentialVerifier {
  const signatures = createSignatureVerifier({ verifyContractSignature: null })
  const roots = createTrustedRoots(options.rootsFile)
  return async ({ waitForHost, ...offered }) => {
    const didKeys = createDidKeys((...asked) => waitForHost(() => options.getText(...asked)))
    const deps = { didKeys, signatures }
    try {
      const { claim, ...verified } = await read(deps, roots, offered)
      const lookupKey = deriveCredentialLookupKey(offered.type, offered.value)
      if (lookupKey === null) throw new CredentialFault('malformed')
      const claimKey = sha256Hex(`${offered.type}\n${claim}`)
      return { ok: true, credential: { ...verified, lookupKey, claimKey } }
    } catch (error) {
      if (error instanceof CredentialFault) return { ok: false, field: error.field }
      throw error
    }
  }
}

async function read(
  deps: VerifyDidProofDeps,
  roots: TrustedRoots,
  offered: Omit<OfferedCredential, 'waitForHost'>,
): Promise<VerifiedCredential> {
  const claim: HolderClaim = offered
  const value = offered.value.trim()
  switch (offered.type) {
    case 'did': {
      const did = parseDid(value)
      if (did === undefined) throw new CredentialFault('malformed')
      const algorithm = await verifyDidProof(deps, did, claim)
      return { claim: did.did, subject: did.did, issuer: null, algorithm, validFrom: null, expiresAt: null }
    }
    case 'vc':
      return readVerifiableCredential(deps, value, claim)
    case 'sd_jwt':
      return readSdJwt(deps, value, claim)
    case 'x509': {
      // Few agents have one, and its parser takes a tenth of the time of a start.
      const { readCertificate } = await import('./credentials/readCertificate.ts')
      return readCertificate(roots, value, claim)
    }
  }
}
