import type { z } from 'zod'
import { findHeaderMandate, type PresentedMandate } from '../commerce/mandates/presentedMandate.ts'
import type { MisspeltMember } from '../createMisspeltFinder.ts'
import type { FieldError } from '../fieldErrors.ts'
import { decodeResource } from '../glob/decodeResource.ts'
import { parseShape } from '../shape/parseShape.ts'
import type { RecordShape, ShapeFault } from '../shape/shape.ts'
import type { AccessLevel } from './decision.ts'
import { findMisspeltMembers } from './findMisspeltMembers.ts'
import { isPlainVerificationBody } from './isPlainVerificationBody.ts'
import { NAMELESS, type PurposeName, readPurpose } from './readPurpose.ts'
import type { verificationBodySchema } from './verificationBody.ts'
import { verificationBodyShape } from './verificationBodyShape.ts'
import { MAX_LENGTHS } from './verificationLimits.ts'

type Body = z.output<typeof verificationBodySchema>

/** Whether a body says who the counterparty is, as every request to the service must. */
export function namesCounterparty(body: { counterpartyId?: unknown; counterpartyUrl?: unknown }): boolean {
  return body.counterpartyId !== undefined || body.counterpartyUrl !== undefined
}

const CONTRADICTION: ShapeFault = {
  ...{ path: ['action'], code: 'contradictory', message: 'names a different category from purpose' },
}
const NO_COUNTERPARTY: ShapeFault = {
  ...{ code: 'required', message: 'one of counterpartyId and counterpartyUrl is required' },
}

const FIELDS: RecordShape = {
  ...verificationBodyShape,
  find: ({ purpose, action }: Body) => (readPurpose(purpose, action) ? [] : [CONTRADICTION]),
}
const REQUEST: RecordShape = {
  ...verificationBodyShape,
  find: (body: Body) => [
    ...(FIELDS.find?.(body) ?? []),
    ...(namesCounterparty(body) ? [] : [NO_COUNTERPARTY]),
  ],
}

/**
 * A parsed verification request in the form that decisions and request hashes use.
 *
 * Names that are compared without regard to case are in lower case (`category`, `action`), codes in upper case
 * (`jurisdiction`, `currency`).
 */
export type VerificationRequest = {
  agentId: string | undefined
  counterpartyId: string | undefined
  counterpartyUrl: string | undefined
  counterpartyType: string | undefined
  /** As received. */
  purpose: string | undefined
  category: string | undefined
  /** Without its category. */
  action: string | undefined
  qualifiedAction: string | undefined
  resource: string | undefined
  /** The percent-decoded resource; undefined if missing or ambiguous. */
  plainResource: string | undefined
  resourceType: string | undefined
  jurisdiction: string | undefined
  transactionValue: number | undefined
  currency: string | undefined
  sessionDuration: number | undefined
  certifications: readonly string[] | undefined
  subAgent: { purpose: string | undefined; depth: number } | undefined
  createSession: boolean
  enableRuntimeChallenge: boolean | undefined
  includeTokenGuidance: boolean
  /** Undefined if the endpoint's setting applies. */
  includeReceipt: boolean | undefined
  dryRun: boolean
  /** In lower case. */
  attemptId: string | undefined
  /** Of a tool and its arguments; part of what an approval is bound to, and of no decision. */
  callHash: string | undefined
  callerMetadata: CallerMetadata | undefined
  /** An intent proof, as presented. */
  intentProof: string | undefined
  /** An agent token, as presented. */
  agentToken: string | undefined
  /** The mandate of a payment, as presented. */
  mandate: PresentedMandate | undefined
  credentials: Body['credentials']
  /** A lower access level is a denial; undefined if any will do. Stated by AuthZEN evaluations, never in bodies of ours. */
  minAccessLevel?: AccessLevel | undefined
  /** Members that were ignored although they look like known ones. */
  misspelt?: readonly MisspeltMember[] | undefined
}

/** What the counterparty reports about a request; what a signature may cover only if the request is signed. */
export type CallerMetadata = {
  sourceIp?: string | undefined
  userAgent?: string | undefined
  referer?: string | undefined
  host?: string | undefined
  forwardedFor?: string | undefined
  agentCardUrl?: string | undefined
  signature?: string | undefined
  signatureInput?: string | undefined
  signatureAgent?: string | undefined
  method?: string | undefined
  targetUri?: string | undefined
  contentDigest?: string | undefined
  /** The other members: headers of the request, by their names in lower case. */
  headers?: Readonly<Record<string, string>>
}

/** Whether a signature was reported, or one of its two headers. */
export function isSigned(metadata: CallerMetadata | undefined): metadata is CallerMetadata {
  return metadata?.signature !== undefined || metadata?.signatureInput !== undefined
}

/** A parsed request, or every error in the body. */
type ParsedVerificationRequest =
  | { ok: true; request: VerificationRequest }
  | { ok: false; errors: FieldError[] }

/** Parses and normalises the untyped body of a verification request. */
export function parseVerificationRequest(body: unknown): ParsedVerificationRequest {
  const plain = parsePlainRequest(body)
  if (plain !== undefined && namesCounterparty(plain)) return { ok: true, request: plain }
  return parseByShape(REQUEST, body)
}

/** Like `parseVerificationRequest`, but does not require a counterparty. */
export function parseRequestFields(fields: unknown): ParsedVerificationRequest {
  const plain = parsePlainRequest(fields)
  return plain === undefined ? parseByShape(FIELDS, fields) : { ok: true, request: plain }
}

function parsePlainRequest(body: unknown): VerificationRequest | undefined {
  if (!isPlainVerificationBody(body)) return undefined
  const plain = body as Body
  const name = readPurpose(plain.purpose, plain.action)
  return name && requestOf(plain, name, findMisspeltMembers(body))
}

function parseByShape(shape: RecordShape, input: unknown): ParsedVerificationRequest {
  const parsed = parseShape(shape, input)
  if (!parsed.ok) return parsed
  const body = parsed.value as Body
  const name = readPurpose(body.purpose, body.action) ?? NAMELESS
  return { ok: true, request: requestOf(body, name, findMisspeltMembers(input)) }
}

function requestOf(
  body: Body,
  name: PurposeName,
  misspelt: VerificationRequest['misspelt'],
): VerificationRequest {
  return {
    agentId: body.agentId,
    counterpartyId: body.counterpartyId,
    counterpartyUrl: body.counterpartyUrl,
    counterpartyType: body.counterpartyType,
    purpose: body.purpose,
    category: name.category,
    action: name.action,
    qualifiedAction: name.qualifiedAction,
    resource: body.resource,
    plainResource: body.resource === undefined ? undefined : decodeResource(body.resource),
    resourceType: body.resourceType,
    jurisdiction: body.jurisdiction?.toUpperCase(),
    transactionValue: body.transactionValue,
    currency: body.currency?.toUpperCase(),
    sessionDuration: body.sessionDuration,
    certifications: body.certifications,
    subAgent:
      body.subAgent === undefined
        ? undefined
        : { purpose: body.subAgent.purpose?.toLowerCase(), depth: body.subAgent.depth ?? 1 },
    createSession: body.createSession ?? true,
    enableRuntimeChallenge: body.enableRuntimeChallenge,
    includeTokenGuidance: body.includeTokenGuidance ?? false,
    includeReceipt: body.includeReceipt,
    dryRun: body.dryRun ?? false,
    attemptId: body.attemptId?.toLowerCase(),
    callHash: body.callHash,
    callerMetadata: body.callerMetadata && callerMetadataOf(body.callerMetadata),
    intentProof: body.intentProof,
    agentToken: body.agentToken,
    mandate: body.mandate ? mandateOf(body.mandate) : findHeaderMandate(body.callerMetadata),
    credentials: body.credentials,
    misspelt,
  }
}

function mandateOf({ protocol, value, payee }: NonNullable<Body['mandate']>): PresentedMandate {
  return { protocol, value, payee, isFromHeader: false }
}

function callerMetadataOf(metadata: NonNullable<Body['callerMetadata']>): CallerMetadata {
  const { sourceIp, userAgent, referer, host, forwardedFor, agentCardUrl, ...signed } = metadata
  const known = { sourceIp, userAgent, referer, host, forwardedFor, agentCardUrl }
  const { signature, signatureInput, signatureAgent, method, targetUri, contentDigest, ...rest } = signed
  if (signature === undefined && signatureInput === undefined) {
    // An intent proof can commit to the body, too.
    return contentDigest === undefined ? known : { ...known, contentDigest }
  }
  const parts = { signature, signatureInput, signatureAgent, method, targetUri, contentDigest }
  return { ...known, ...parts, headers: pickHeaders(rest) }
}

/** Members that are no text, or more than can be covered, are ignored like other unknown members. */
function pickHeaders(members: Readonly<Record<string, unknown>>): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(members).slice(0, MAX_LENGTHS.coveredHeaders)) {
    if (typeof value === 'string' && value.length <= MAX_LENGTHS.evidence) headers[name] = value
  }
  return headers
}
