import type { PlatformFacts } from '@svc/core/access/decideAnonymous.ts'
import type { VerificationRequest } from '@svc/core/access/verificationRequest.ts'
import type { PlatformIndex } from '@svc/core/platforms/compilePlatforms.ts'
import { matchesHostPattern } from '@svc/core/platforms/ipPrefix.ts'
import type { EvidenceGrade, Platform, PlatformToken } from '@svc/core/platforms/platform.ts'
import { normaliseIpAddress } from '@svc/core/url/ipAddress.ts'
import type { IpLists } from '../../external/ipLists.ts'
import type { ReverseDns } from '../../external/outbound/reverseDns.ts'
import type { SignatureVerdict, WebBotAuth } from '../../external/webBotAuth/webBotAuth.ts'
import type { VerifiableEndpoint } from '../verification/parties/verifiableEndpoint.ts'
import type { ProvisionalAgents } from './provisionalAgents.ts'

export type IdentifyPlatformDeps = {
  platforms: PlatformIndex
  ipLists: Pick<IpLists, 'contains'>
  /** Null if host names are not looked up. */
  reverseDns: ReverseDns | null
  verifySignature: WebBotAuth
  agentOf: ProvisionalAgents['provide']
}

export type IdentifyPlatformInput = {
  request: VerificationRequest
  endpoint: Pick<VerifiableEndpoint, 'id' | 'authorities'>
  now: number
}

/** What is known about an anonymous caller. */
export type Sighting = {
  platform?: PlatformFacts
  /** Token of the user agent, if it identified the platform. */
  token?: string
  /** The result of verifying the request's signature, if any. */
  signature?: SignatureVerdict
}

type Metadata = NonNullable<VerificationRequest['callerMetadata']>

const NOTHING: Sighting = {}

/**
 * Recognises the platform of an anonymous request and grades the evidence.
 *
 * A verified signature identifies the platform whatever the user agent says (ChatGPT agent looks like a browser). Otherwise
 * the user agent makes a claim, which the address may confirm. An invalid signature neither proves nor disproves anything.
 * Only signatures are waited for: addresses are judged by what is in memory. A request without a claim costs one look at
 * its user agent. A platform that an operator has withdrawn is not recognised.
 *
 * Source: `Spec: Verification response`, anonymous branch.
 */
export function identifyPlatform(
  deps: IdentifyPlatformDeps,
  input: IdentifyPlatformInput,
): Sighting | Promise<Sighting> {
  const metadata = input.request.callerMetadata
  if (metadata === undefined) return NOTHING
  if (metadata.signature !== undefined) return identifySigned(deps, input, metadata)
  return identifyClaimed(deps, input, metadata)
}

async function identifySigned(
  deps: IdentifyPlatformDeps,
  input: IdentifyPlatformInput,
  metadata: Metadata,
): Promise<Sighting> {
  const signature = await verdictOf(deps, input, metadata)
  const signer = signature?.outcome === 'verified' ? deps.platforms.bySignatureAgent(signature.origin) : null
  if (signer === null)
    return { ...(await identifyClaimed(deps, input, metadata)), ...(signature && { signature }) }
  const platform = await factsOf(deps, input, signer, 'signature_verified')
  return { ...(platform && { platform }), ...(signature && { signature }) }
}

async function verdictOf(
  deps: IdentifyPlatformDeps,
  { request, endpoint, now }: IdentifyPlatformInput,
  metadata: Metadata,
): Promise<SignatureVerdict | undefined> {
  const [authority] = endpoint.authorities
  const { signature, signatureInput, signatureAgent, method, targetUri, userAgent, referer } = metadata
  if (authority === undefined || signature === undefined) return undefined
  return deps.verifySignature({
    request: {
      signature,
      signatureInput: signatureInput ?? '',
      method,
      targetUri,
      authority,
      fields: { 'signature-agent': signatureAgent, 'user-agent': userAgent, referer },
    },
    audience: endpoint.id ?? authority,
    dryRun: request.dryRun,
    now,
  })
}

function identifyClaimed(
  deps: IdentifyPlatformDeps,
  input: IdentifyPlatformInput,
  { userAgent, sourceIp }: Metadata,
): Sighting | Promise<Sighting> {
  const claim = userAgent === undefined ? null : deps.platforms.byUserAgent(userAgent)
  if (claim === null) return NOTHING
  const { platform, token } = claim
  return loadSighting(deps, input, claim, gradeOf(deps, platform, token, sourceIp, input.now))
}

async function loadSighting(
  deps: IdentifyPlatformDeps,
  input: IdentifyPlatformInput,
  { platform, token }: { platform: Platform; token: PlatformToken },
  evidence: EvidenceGrade,
): Promise<Sighting> {
  const facts = await factsOf(deps, input, platform, evidence)
  return facts === null ? NOTHING : { platform: facts, token: token.token }
}

/** How well the address supports the claim; like the user agent, it comes from the counterparty. */
function gradeOf(
  deps: IdentifyPlatformDeps,
  platform: Platform,
  token: PlatformToken,
  sourceIp: string | undefined,
  now: number,
): EvidenceGrade {
  const address = sourceIp === undefined ? undefined : normaliseIpAddress(sourceIp)
  if (address === undefined) return 'ua_claim'
  if (token.ipLists?.some((url) => deps.ipLists.contains(url, address, now))) return 'ip_verified'
  if (platform.reverseDns === undefined || deps.reverseDns === null) return 'ua_claim'
  const host = deps.reverseDns(address, now)
  const isOwn = host !== null && platform.reverseDns.some((pattern) => matchesHostPattern(host, pattern))
  return isOwn ? 'fcrdns_verified' : 'ua_claim'
}

/** Null for a withdrawn platform. */
async function factsOf(
  { agentOf }: IdentifyPlatformDeps,
  { request, now }: IdentifyPlatformInput,
  platform: Platform,
  evidence: EvidenceGrade,
): Promise<PlatformFacts | null> {
  const svcId = await agentOf(platform, now, request.dryRun)
  if (svcId === null) return null
  const { id, name, operator } = platform
  return { svcId, id, name, operator, evidence }
}
