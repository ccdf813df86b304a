import type { CallerMetadata } from '@svc/core/access/verificationRequest.ts'
import { encodeHex } from '@svc/core/bytes.ts'
import { parseTapSignature } from '@svc/core/commerce/mandates/parseTapSignature.ts'
import { deriveComponent } from '@svc/core/signing/deriveComponent.ts'
import { type PlainSignature, parsePlainSignature } from '@svc/core/signing/parsePlainSignature.ts'
import { readSigningAddress } from '@svc/core/signing/readSigningAddress.ts'
import {
  findUncoveredComponents,
  isNonce,
  SIGNATURE_SECONDS_MAX,
  SIGNATURE_TAGS,
} from '@svc/core/signing/signatureProfile.ts'
import { parseUrl } from '@svc/core/url/url.ts'
import { buildPlainSignatureBase, buildSignatureBase } from '../httpSignatures/buildSignatureBase.ts'
import {
  type ParsedSignature,
  parseSignatures,
  type SignatureCriteria,
} from '../httpSignatures/parseSignatures.ts'
import { parseSpacedSignature } from '../httpSignatures/parseSpacedSignature.ts'
import type { SignatureVerifier } from '../signatureVerifier.ts'
import { namesAgent, type ProofAudience, type ProofFinding, type ProvableAgent, wrongProof } from './proof.ts'

const TAGS: ReadonlySet<unknown> = new Set(SIGNATURE_TAGS)
const SKEW_SECONDS = 60

export type VerifyRequestSignatureDeps = { recoverSigner: SignatureVerifier['recoverSigner'] }

type SignatureInput = {
  agent: ProvableAgent
  audience: ProofAudience
  metadata: CallerMetadata
  /** Epoch milliseconds. */
  now: number
}

/**
 * Verifies that keys of the agent signed the request that the counterparty reports: one finding for each signature that is
 * meant for the agent.
 *
 * A signature is meant for the agent if it names a key or account of it, or covers `x-svc-id` for the purpose of a proof;
 * others may be those of proxies or platforms. Each has to hold, because one that nobody looked at could be presented again
 * by itself. What is left of a signature is wrong, and so is one that covers what the counterparty does not report, whatever
 * else may be wrong with it.
 *
 * Source: RFC 9421; RFC 9530; ERC-8128; docs/agents.md.
 */
export async function verifyRequestSignature(
  deps: VerifyRequestSignatureDeps,
  input: SignatureInput,
): Promise<readonly ProofFinding[]> {
  const signatures = readSignatures(input, isMeantFor)
  if (signatures !== 'malformed') return judgeAll(deps, input, signatures)
  if (isPaymentSignature(input)) return []
  const addressed = readSignatures(input, isAddressedTo)
  if (addressed === 'malformed') return [wrongProof('malformed')]
  return [...(await judgeAll(deps, input, addressed)), wrongProof('unaddressed')]
}

function judgeAll(
  deps: VerifyRequestSignatureDeps,
  input: SignatureInput,
  signatures: readonly Readings[],
): Promise<readonly ProofFinding[]> {
  return Promise.all(signatures.map((readings) => judgeReadings(deps, input, readings)))
}

/** Finds the first reading valid that holds; otherwise what is wrong with the first one. */
async function judgeReadings(
  deps: VerifyRequestSignatureDeps,
  input: SignatureInput,
  [reading, ...others]: Readings,
): Promise<ProofFinding> {
  const finding = await judge(deps, input, reading)
  if (finding.found === 'valid') return finding
  for (const other of others) {
    const found = await judge(deps, input, other)
    if (found.found === 'valid') return found
  }
  return finding
}

/**
 * Whether it is a signature of the Trusted Agent Protocol in the spelling of its sample agent, which is no structured field,
 * and not by a key of the agent. It proves no identity here; as a payment mandate it is checked by itself.
 */
function isPaymentSignature({ agent, metadata }: SignatureInput): boolean {
  const { signature = '', signatureInput = '' } = metadata
  const read = parseTapSignature(signature, signatureInput)
  return read?.tag === 'agent-payer-auth' && !agent.keys.some(({ kid }) => kid === read.keyid)
}

/** A signature that is meant for the agent. */
type ReadSignature = Omit<ParsedSignature, 'label' | 'input'> & {
  buildBase(request: Parameters<typeof buildSignatureBase>[1]): ReturnType<typeof buildSignatureBase>
}

/** The texts that a signer may have signed; more than one only for a spelling that can be read in two ways. */
type Readings = readonly [ReadSignature, ...ReadSignature[]]

type Choice = (agent: ProvableAgent, signature: SignatureCriteria) => boolean

/** Reads the chosen signatures; `malformed` if one of them, or a header, cannot be read. */
function readSignatures(
  { agent, metadata }: SignatureInput,
  isChosen: Choice,
): readonly Readings[] | 'malformed' {
  const { signature = '', signatureInput = '' } = metadata
  if (signatureInput === '') return 'malformed'
  const plain = parsePlainSignature(signature, signatureInput)
  if (plain !== undefined) return readPlain(agent, plain, isChosen)
  const parsed = parseSignatures({ signature, signatureInput }, (one) => isChosen(agent, one))
  const spaced = parseSpacedSignature(signature, signatureInput)
  if (parsed === 'malformed') return spaced === undefined ? parsed : readPlain(agent, spaced, isChosen)
  if (parsed.unreadCount > 0) return 'malformed'
  const read = parsed.signatures.map(
    ({ input, ...one }): Readings => [
      {
        ...one,
        buildBase: (request) => buildSignatureBase(input, request),
      },
    ],
  )
  const [only] = read
  if (spaced === undefined || only === undefined) return read
  return readPlain(agent, spaced, isChosen).map(([other]) => [...only, other])
}

function readPlain(
  agent: ProvableAgent,
  plain: PlainSignature,
  isChosen: Choice,
): readonly [ReadSignature][] {
  const covered = plain.components
  if (!isChosen(agent, { ...plain, covered })) return []
  return [[{ ...plain, covered, buildBase: (request) => buildPlainSignatureBase(plain, request) }]]
}

function isMeantFor(agent: ProvableAgent, signature: SignatureCriteria): boolean {
  const { keyid } = signature
  const isByAccount = typeof keyid === 'string' && agent.accounts.includes(readSigningAddress(keyid) ?? '')
  return isByAccount || isAddressedTo(agent, signature)
}

/**
 * Whether a signature is meant for the agent, as anybody can see: keys are public, accounts are not. What is wrong with any
 * other signature is not told, because that would tell that its account is one of the agent.
 */
function isAddressedTo({ keys }: ProvableAgent, { tag, keyid, covered }: SignatureCriteria): boolean {
  const isByKey = typeof keyid === 'string' && keys.some(({ kid }) => kid === keyid)
  return isByKey || (isForProof(tag, keyid) && covered.includes('x-svc-id'))
}

/** Source: docs/agents.md, ERC-8128, which knows no tags. */
function isForProof(tag: unknown, keyid: unknown): boolean {
  return (
    TAGS.has(tag) ||
    (tag === undefined && typeof keyid === 'string' && readSigningAddress(keyid) !== undefined)
  )
}

async function judge(
  deps: VerifyRequestSignatureDeps,
  { agent, audience, metadata, now }: SignatureInput,
  signature: ReadSignature,
): Promise<ProofFinding> {
  const { covered, keyid, nonce, tag, created, expires } = signature
  if (!isAddressedTo(agent, signature)) return wrongProof('unaddressed')
  const { contentDigest, targetUri, method } = metadata
  const authority = findAuthority(audience, targetUri)
  const stated = metadata.headers?.['x-svc-id'] ?? agent.names[0]
  const fields = { ...fieldsOf(metadata), 'x-svc-id': stated }
  const base = signature.buildBase({ authority: authority ?? '', method, targetUri, fields })
  // Before anything else: whatever is wrong besides, nobody could find out by signing again.
  if (!base.ok && base.reason === 'unknown_component') return wrongProof('not_reported')
  if (!base.ok && base.reason === 'unsupported_component') return wrongProof('unsupported_component')
  if (!isForProof(tag, keyid)) return wrongProof('other_purpose')
  const seconds = now / 1000
  if (created > seconds + SKEW_SECONDS) return wrongProof('not_yet_valid')
  if (expires <= created) return wrongProof('malformed')
  if (expires - created > SIGNATURE_SECONDS_MAX) return wrongProof('long_lived')
  if (nonce === undefined || !isNonce(nonce)) return wrongProof('no_nonce')
  const parts = {
    hasQuery: hasQuery(targetUri),
    hasBody: contentDigest !== undefined,
    // It says where the keys of the signer are; those of an agent are registered.
    hasSignatureAgent: false,
  }
  if (findUncoveredComponents(covered, parts).length > 0) return wrongProof('not_covered')
  if (!namesAgent(agent, stated)) return wrongProof('other_agent')
  if (authority === undefined) return wrongProof('other_audience')
  if (!base.ok) return wrongProof('malformed')
  const fault = await findKeyFault(deps, agent, signature, base.text)
  if (fault !== null) return wrongProof(fault)
  const use = { key: `${keyid} ${nonce}`, expiresAt: (expires + SKEW_SECONDS) * 1000 }
  return { found: 'valid', kid: keyid, use, hasExpired: expires <= seconds }
}

function hasQuery(targetUri: string | undefined): boolean {
  const query = deriveComponent('@query', { targetUri, method: undefined, authority: undefined })
  return query !== undefined && query !== '?'
}

/** The authority for which the request has to be signed; undefined if it went to a host that is not the endpoint's. */
function findAuthority({ authorities }: ProofAudience, targetUri: string | undefined): string | undefined {
  if (targetUri === undefined) return authorities[0]
  const reported = parseUrl(targetUri)?.host
  return authorities.find((authority) => authority === reported)
}

function fieldsOf(metadata: CallerMetadata): Record<string, string | undefined> {
  return {
    'user-agent': metadata.userAgent,
    referer: metadata.referer,
    host: metadata.host,
    ...metadata.headers,
    'signature-agent': metadata.signatureAgent,
    'content-digest': metadata.contentDigest,
  }
}

async function findKeyFault(
  { recoverSigner }: VerifyRequestSignatureDeps,
  { keys, accounts, hasForeignAccounts }: ProvableAgent,
  { keyid, alg, signature }: ReadSignature,
  text: string,
): Promise<'key_unknown' | 'key_revoked' | 'other_algorithm' | 'forged' | null> {
  const address = readSigningAddress(keyid)
  if (address !== undefined) {
    // No registered algorithm is that of an account, so whatever the signature names conflicts with its key.
    if (alg !== undefined) return 'other_algorithm'
    // Only whoever signs with an account is told whether it is one of the agent: which accounts those are is not public.
    const isKnown = accounts.includes(address)
    const contract = isKnown && !hasForeignAccounts ? address : undefined
    const signer = await recoverSigner(text, encodeHex(signature), contract)
    if (signer?.toLowerCase() !== address) return 'forged'
    return isKnown ? null : 'key_unknown'
  }
  const key = keys.find(({ kid }) => kid === keyid)
  if (key === undefined) return 'key_unknown'
  if (key.isRevoked) return 'key_revoked'
  if (alg !== undefined && alg.toLowerCase() !== key.alg) return 'other_algorithm'
  return (await key.verifies(text, signature, alg)) ? null : 'forged'
}
