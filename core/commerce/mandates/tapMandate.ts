import type { CallerMetadata } from '../../access/verificationRequest.ts'
import { deriveComponent } from '../../signing/deriveComponent.ts'
import { parseUrl } from '../../url/url.ts'
import { findContradiction } from './findContradiction.ts'
import {
  ABSENT,
  type MandateFinding,
  type MandateInput,
  type MandateVerifiers,
  wrongMandate,
} from './mandateFinding.ts'
import { parseTapSignature, type TapSignature } from './parseTapSignature.ts'

/** The longest time from `created` to `expires`. Source: Visa Trusted Agent Protocol, Merchant Specifications. */
const SECONDS_MAX = 480
const SKEW_SECONDS = 60
const TO_PAY = 'agent-payer-auth'
const TO_BROWSE = 'agent-browser-auth'

/**
 * Checks the signature of the Trusted Agent Protocol on a request: that a key of the agent made it for this merchant and
 * page, now, and with the intent to pay.
 *
 * It does not state an amount. So a request that states one needs the intent to pay, and nothing else can be compared.
 * Source: visa/trusted-agent-protocol; RFC 9421.
 */
export async function checkTapMandate(
  input: MandateInput,
  verifiers: MandateVerifiers,
): Promise<MandateFinding> {
  const { metadata, mandate, holder, request } = input
  const isOptional = mandate.isFromHeader
  const signed = parseTapSignature(metadata?.signature ?? '', metadata?.signatureInput ?? '')
  if (signed === null || metadata === undefined) return isOptional ? ABSENT : wrongMandate('malformed')
  const declared = holder.declarations.tap?.publicKey
  // A key of the agent is checked as the proof of its identity; other signatures in headers are meant for others.
  if (isOptional && (declared === undefined || holder.keys.some(({ kid }) => kid === signed.keyid)))
    return ABSENT
  if (signed.tag !== TO_PAY && signed.tag !== TO_BROWSE) return wrongMandate('unsupported')
  if (!['@authority', '@path'].every((name) => signed.components.includes(name)))
    return wrongMandate('malformed')
  const authority = findAuthority(input)
  if (authority === undefined) return wrongMandate('other_merchant')
  const text = buildBase(signed, metadata, authority, '@path')
  if (text === null) return isOptional ? ABSENT : wrongMandate('unsupported')
  const joined = buildBase(signed, metadata, authority, '@request-target')
  const isSigned =
    (await isSignedByHolder(signed, text, input, verifiers)) ||
    (joined !== null && joined !== text && (await isSignedByHolder(signed, joined, input, verifiers)))
  if (isSigned === 'unsupported') return isOptional ? ABSENT : wrongMandate('unsupported')
  if (!isSigned) return wrongMandate('other_holder')
  const { created, expires } = signed
  if (expires <= created || expires - created > SECONDS_MAX) return wrongMandate('expired')
  if (created > input.now / 1000 + SKEW_SECONDS) return wrongMandate('not_yet_valid')
  if (request.transactionValue !== undefined && signed.tag !== TO_PAY) return wrongMandate('other_amount')
  const { transactionValue: amount = 0, currency } = request
  const fault = findContradiction({ amount, currency, payees: [authority], expiresAt: expires }, input)
  if (fault !== null) return wrongMandate(fault)
  return {
    ...{ found: 'valid', isSigned: true, isHolderProven: isProvenKey(signed, input, verifiers) },
    payment: { id: `tap ${text}`, expiresAt: expires },
  }
}

/** Whether the key that signed is one of the agent's keys, and not only declared. */
function isProvenKey(
  { keyid }: TapSignature,
  { holder: { keys, declarations } }: MandateInput,
  { thumbprintOf }: MandateVerifiers,
): boolean {
  const active = keys.filter(({ isRevoked }) => !isRevoked).map(({ kid }) => kid)
  return active.includes(keyid) || active.includes(thumbprintOf(declarations.tap?.publicKey) ?? '')
}

/** The authority to which the request went; undefined if it is not one of the endpoint's. */
function findAuthority({ metadata, endpoint: { authorities } }: MandateInput): string | undefined {
  const { targetUri } = metadata ?? {}
  if (targetUri === undefined) return authorities[0]
  const reported = parseUrl(targetUri)?.host
  return authorities.find((authority) => authority === reported)
}

/**
 * Builds the text that is signed; null if the counterparty does not report what it covers. Source: RFC 9421 §2.5.
 *
 * @param path What stands for `@path`: the sample agent calls path and query together so.
 */
function buildBase(
  { components, params }: TapSignature,
  metadata: CallerMetadata,
  authority: string,
  path: '@path' | '@request-target',
): string | null {
  const { method, targetUri, headers = {}, contentDigest, signatureAgent, userAgent } = metadata
  const fields: Readonly<Record<string, string | undefined>> = {
    ...headers,
    ...{ 'content-digest': contentDigest, 'signature-agent': signatureAgent, 'user-agent': userAgent },
  }
  const lines: string[] = []
  for (const name of components) {
    const value = name.startsWith('@')
      ? deriveComponent(name === '@path' ? path : name, { method, authority, targetUri })
      : Object.hasOwn(fields, name)
        ? fields[name]
        : undefined
    if (value === undefined) return null
    lines.push(`"${name}": ${value}`)
  }
  return [...lines, `"@signature-params": ${params}`].join('\n')
}

async function isSignedByHolder(
  { keyid, signature, alg }: TapSignature,
  text: string,
  { holder }: MandateInput,
  { verifyText }: MandateVerifiers,
): Promise<boolean | 'unsupported'> {
  const own = holder.keys.find(({ kid, isRevoked }) => kid === keyid && !isRevoked)
  if (own !== undefined) return own.verifies(text, signature, alg)
  const { publicKey, signatureAlgorithm } = holder.declarations.tap ?? {}
  if (publicKey === undefined) return false
  const declared = typeof signatureAlgorithm === 'string' ? signatureAlgorithm : undefined
  return verifyText(publicKey, text, signature, alg ?? declared)
}
