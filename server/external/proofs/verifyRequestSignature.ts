import type { CallerMetadata } from '@svc/core/access/verificationRequest.ts'
import { encodeHex } from '@svc/core/bytes.ts'
import { parseTapSignature } from '@svc/core/commerce/mandates/parseTapSignature.ts'
import { deriveComponent } from '@svc/core/signing/deriveComponent.ts'
import { type PlainSignature, parsePlainSignature } from '@svc/core/signing/parsePlainSignature.ts'
import {
  findUncoveredComponents,
  isNonce,
  SIGNATURE_SECONDS_MAX,
  SIGNATURE_TAGS,
} from '@svc/core/signing/signatureProfile.ts'
import { parseUrl } from '@svc/core/url/url.ts'
import { buildPlainSignatureBase, buildSignatureBase } from '../httpSignatures/buildSignatureBase.ts'
import { type ParsedSignature, parseSignatures } from '../httpSignatures/parseSignatures.ts'
import { parseSpacedSignature } from '../httpSignatures/parseSpacedSignature.ts'
import { readAgentMember } from '../httpSignatures/readAgentMember.ts'
import type { SignatureVerifier } from '../signatureVerifier.ts'
import {
  ABSENT,
  namesAgent,
  type ProofAudience,
  type ProofFinding,
  type ProvableAgent,
  wrongProof,
} from './proof.ts'

const TAGS: ReadonlySet<unknown> = new Set(SIGNATURE_TAGS)
const SKEW_SECONDS = 60
/** Key id of an Ethereum account: chain id and address. Source: ERC-8128. */
const ACCOUNT = /^erc8128:[0-9]{1,20}:(0x[0-9a-fA-F]{40})$/

export type VerifyRequestSignatureDeps = { recoverSigner: SignatureVerifier['recoverSigner'] }

type SignatureInput = {
  agent: ProvableAgent
  audience: ProofAudience
  metadata: CallerMetadata
  /** Epoch milliseconds. */
  now: number
}

/**
 * Verifies that a key of the agent signed the request that the counterparty reports.
 *
 * A signature is meant for the agent if it covers `x-svc-id` or names a key or account of it; others may be those of proxies
 * or platforms. If one of several holds, the request is proven. One that covers what the counterparty does not report cannot
 * be checked, and is wrong like one that was checked and does not hold.
 *
 * Source: RFC 9421; RFC 9530; ERC-8128; docs/agents.md.
 */
export async function verifyRequestSignature(
  deps: VerifyRequestSignatureDeps,
  input: SignatureInput,
): Promise<ProofFinding> {
  const { signature = '', signatureInput = '' } = input.metadata
  const signatures = readSignatures(signature, signatureInput)
  if (signatures === 'malformed') return isPaymentSignature(input) ? ABSENT : wrongProof('malformed')
  let first: ProofFinding = ABSENT
  for (const one of signatures) {
    if (!isMeantFor(one, input.agent)) continue
    const finding = await judge(deps, input, one)
    if (finding.found === 'valid') return finding
    if (first.found === 'absent') first = finding
  }
  return first
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

/** A signature that may be meant as a proof. */
type ReadSignature = Omit<ParsedSignature, 'label' | 'input'> & {
  /** The components that are covered as a whole. */
  covered: readonly string[]
  buildBase(request: Parameters<typeof buildSignatureBase>[1]): ReturnType<typeof buildSignatureBase>
}

function readSignatures(signature: string, signatureInput: string): readonly ReadSignature[] | 'malformed' {
  const plain = parsePlainSignature(signature, signatureInput)
  if (plain !== undefined) return readPlain(plain)
  const parsed = parseSignatures({ signature, signatureInput }, isForProof)
  const spaced = parseSpacedSignature(signature, signatureInput)
  if (parsed === 'malformed') return spaced === undefined ? parsed : readPlain(spaced)
  const read = parsed.map(
    ({ input, ...one }): ReadSignature => ({
      ...one,
      covered: listCovered(input),
      buildBase: (request) =>
        buildSignatureBase(input, {
          ...request,
          agentMember: readAgentMember(input, request.fields['signature-agent']),
        }),
    }),
  )
  // Its signer may have signed either text.
  return spaced === undefined ? read : [...read, ...readPlain(spaced)]
}

function readPlain(plain: PlainSignature): ReadSignature[] {
  if (!isForProof(plain.tag, plain.keyid)) return []
  const buildBase: ReadSignature['buildBase'] = (request) => buildPlainSignatureBase(plain, request)
  return [{ ...plain, covered: plain.components, buildBase }]
}

function isForProof(tag: unknown, keyid: unknown): boolean {
  return TAGS.has(tag) || (tag === undefined && typeof keyid === 'string' && ACCOUNT.test(keyid))
}

function isMeantFor({ covered, keyid }: ReadSignature, { keys, accounts }: ProvableAgent): boolean {
  return (
    covered.includes('x-svc-id') ||
    keys.some(({ kid }) => kid === keyid) ||
    accounts.includes(addressOf(keyid))
  )
}

function listCovered([components]: ParsedSignature['input']): string[] {
  return components.flatMap(([name, parameters]) =>
    typeof name === 'string' && parameters.size === 0 ? [name] : [],
  )
}

function addressOf(keyid: string): string {
  return ACCOUNT.exec(keyid)?.[1]?.toLowerCase() ?? ''
}

async function judge(
  deps: VerifyRequestSignatureDeps,
  { agent, audience, metadata, now }: SignatureInput,
  signature: ReadSignature,
): Promise<ProofFinding> {
  const { covered, keyid, nonce, created, expires } = signature
  const seconds = now / 1000
  if (created > seconds + SKEW_SECONDS || expires <= created || expires - created > SIGNATURE_SECONDS_MAX)
    return wrongProof('untimely')
  if (nonce === undefined || !isNonce(nonce)) return wrongProof('no_nonce')
  const { contentDigest, targetUri, method } = metadata
  const parts = {
    hasQuery: hasQuery(targetUri),
    hasBody: contentDigest !== undefined,
    // It says where the keys of the signer are; those of an agent are registered.
    hasSignatureAgent: false,
  }
  if (findUncoveredComponents(covered, parts).length > 0) return wrongProof('not_covered')
  const stated = metadata.headers?.['x-svc-id'] ?? agent.names[0]
  if (!namesAgent(agent, stated)) return wrongProof('other_agent')
  const authority = findAuthority(audience, targetUri)
  if (authority === undefined) return wrongProof('other_audience')
  const fields = { ...fieldsOf(metadata), 'x-svc-id': stated }
  const base = signature.buildBase({ authority, method, targetUri, fields })
  if (!base.ok) return wrongProof(base.reason === 'malformed' ? 'malformed' : 'not_reported')
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
  const address = addressOf(keyid)
  if (address !== '') {
    if (!accounts.includes(address)) return 'key_unknown'
    const signer = await recoverSigner(text, encodeHex(signature), hasForeignAccounts ? undefined : address)
    return signer?.toLowerCase() === address ? null : 'forged'
  }
  const key = keys.find(({ kid }) => kid === keyid)
  if (key === undefined) return 'key_unknown'
  if (key.isRevoked) return 'key_revoked'
  if (alg !== undefined && alg.toLowerCase() !== key.alg) return 'other_algorithm'
  return (await key.verifies(text, signature, alg)) ? null : 'forged'
}
