// Own code: the package web-bot-auth checks neither the covered components nor replays, and its clock cannot be set.
import type { InnerList } from 'structured-headers'
import { buildSignatureBase } from '../httpSignatures/buildSignatureBase.ts'
import {
  type ParsedSignature,
  parseSignatures,
  type SignedRequest,
} from '../httpSignatures/parseSignatures.ts'
import type { KeyDirectories } from './keyDirectories.ts'
import { readSignatureAgent } from './readSignatureAgent.ts'
import type { ReplayMemory } from './replayMemory.ts'

/** Maximum lifetime of a signature, and how far the signer's clock may be ahead. */
const LIFE_SECONDS_MAX = 24 * 60 * 60
const SKEW_SECONDS = 60

/**
 * The result of verifying a request's signatures: proven, disproven, or undecidable. `origin` is the signer: an origin, or
 * the URL of a JWK Set.
 */
export type SignatureVerdict =
  | { outcome: 'verified'; origin: string }
  | {
      outcome: 'invalid'
      reason: 'malformed' | 'untimely' | 'not_covered' | 'forged' | 'key_unknown' | 'replayed'
    }
  | {
      outcome: 'unverified'
      reason: 'no_bot_signature' | 'signer_unknown' | 'unknown_component' | 'directory_unreachable'
    }

export type WebBotAuthDeps = {
  keyOf: KeyDirectories
  replays: ReplayMemory
  /** Whether a signer, in the form of `SignatureAgent`, is known; no other directory is fetched. */
  isKnownSigner(signer: string): boolean
}

type WebBotAuthInput = {
  request: SignedRequest
  /** The verifying endpoint; a nonce can be used once for each. */
  audience: string
  /** A dry run does not use up the nonce. */
  dryRun: boolean
  /** Epoch milliseconds. */
  now: number
}

export type WebBotAuth = (input: WebBotAuthInput) => Promise<SignatureVerdict>

/**
 * Creates the verifier of Web Bot Auth signatures of requests that a counterparty received.
 *
 * `@authority` comes from the registered endpoint, never from the request, so a signature for another site does not verify;
 * `@target-uri` must have the same authority. Of several signatures, the best result counts.
 *
 * Source: RFC 9421 §3.2; draft-ietf-webbotauth-httpsig-protocol "Validating Message Signature".
 */
export function createWebBotAuth(deps: WebBotAuthDeps): WebBotAuth {
  return async (input) => {
    const parsed = parseSignatures(input.request, isBotSignature)
    if (parsed === 'malformed' || (parsed.signatures.length === 0 && parsed.unreadCount > 0)) {
      return { outcome: 'invalid', reason: 'malformed' }
    }
    let best: SignatureVerdict | undefined
    for (const signature of parsed.signatures) {
      const verdict = await judge(deps, input, signature)
      if (verdict.outcome === 'verified') return verdict
      if (best === undefined || verdict.outcome === 'unverified') best = verdict
    }
    return best ?? { outcome: 'unverified', reason: 'no_bot_signature' }
  }
}

/** Source: draft-ietf-webbotauth-httpsig-protocol "Generating HTTP Message Signature". */
function isBotSignature({ tag }: { tag: unknown }): boolean {
  return tag === 'web-bot-auth'
}

async function judge(
  deps: WebBotAuthDeps,
  { request, audience, dryRun, now }: WebBotAuthInput,
  signature: ParsedSignature,
): Promise<SignatureVerdict> {
  const { label, input, keyid, nonce, expires } = signature
  if (!isTimely(signature, now)) return { outcome: 'invalid', reason: 'untimely' }
  const agentKey = agentKeyOf(input, label)
  const agent = readSignatureAgent(request.fields['signature-agent'] ?? '', agentKey)
  if (agent === undefined || !deps.isKnownSigner(agent.signer)) {
    return { outcome: 'unverified', reason: 'signer_unknown' }
  }
  if (!coversEnough(input, agentKey, request)) return { outcome: 'invalid', reason: 'not_covered' }
  const base = buildSignatureBase(input, request)
  if (!base.ok) {
    return base.reason === 'malformed'
      ? { outcome: 'invalid', reason: base.reason }
      : { outcome: 'unverified', reason: 'unknown_component' }
  }
  const known = await deps.keyOf(agent.directoryUrl, keyid, now)
  if (known.found !== 'key') {
    return known.found === 'absent'
      ? { outcome: 'invalid', reason: 'key_unknown' }
      : { outcome: 'unverified', reason: 'directory_unreachable' }
  }
  if (!(await known.key.verifies(base.text, signature.signature, signature.alg))) {
    return { outcome: 'invalid', reason: 'forged' }
  }
  const isFirst =
    dryRun ||
    nonce === undefined ||
    (await deps.replays.use(`${audience} ${keyid} ${nonce}`, expires * 1000, now))
  return isFirst ? { outcome: 'verified', origin: agent.signer } : { outcome: 'invalid', reason: 'replayed' }
}

function isTimely({ created, expires }: ParsedSignature, now: number): boolean {
  const seconds = now / 1000
  return created <= seconds + SKEW_SECONDS && expires > seconds && expires - created <= LIFE_SECONDS_MAX
}

/**
 * Returns the key of the `Signature-Agent` member that belongs to a signature: the only member it covers, otherwise its
 * label. A proxy may change the label but not what is signed.
 */
function agentKeyOf(input: InnerList, label: string): string {
  const keys = input[0].flatMap(([name, parameters]) => {
    const key = parameters.get('key')
    return name === 'signature-agent' && typeof key === 'string' ? [key] : []
  })
  const [only] = keys
  return keys.length === 1 && only !== undefined ? only : label
}

/** Whether a signature is bound to this site and to the directory that it names. */
function coversEnough(input: InnerList, agentKey: string, { targetUri, authority }: SignedRequest): boolean {
  const covers = (name: string, key?: string) =>
    input[0].some(([component, parameters]) => component === name && parameters.get('key') === key)
  if (covers('@target-uri') && authorityOf(targetUri) !== authority) return false
  if (!covers('@target-uri') && !covers('@authority')) return false
  return covers('signature-agent') || covers('signature-agent', agentKey)
}

function authorityOf(targetUri: string | undefined): string | undefined {
  return URL.parse(targetUri ?? '')?.host
}
