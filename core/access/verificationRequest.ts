import { z } from 'zod'
import { type FieldError, parseWith } from '../fieldErrors.ts'
import { plainResource } from '../glob/plainResource.ts'
import {
  isPlainVerificationBody,
  MAX_LENGTHS,
  MONEY_MAX,
  SESSION_SECONDS_MAX,
} from './isPlainVerificationBody.ts'
import { type PurposeName, purposeName } from './purposeName.ts'

const plain = (max: number) =>
  z
    .string()
    .min(1, { abort: true })
    .max(max)
    .regex(/^\P{Cc}+$/u, 'expected text without control characters')
/** What is merely kept as evidence may be long and odd; refusing it would refuse the decision. */
const evidence = z.string().max(MAX_LENGTHS.evidence).optional()

/** The fields of a verification request, where the counterparty need not be named (local evaluator). */
export const requestFieldsSchema = z
  .object({
    agentId: plain(MAX_LENGTHS.identifier).optional(),
    counterpartyId: plain(MAX_LENGTHS.identifier).optional(),
    counterpartyUrl: plain(MAX_LENGTHS.url).optional(),
    counterpartyType: plain(MAX_LENGTHS.identifier).optional(),
    purpose: plain(MAX_LENGTHS.name).optional(),
    action: plain(MAX_LENGTHS.name).optional(),
    resource: z.string().min(1).max(MAX_LENGTHS.resource).optional(),
    resourceType: plain(MAX_LENGTHS.name).optional(),
    jurisdiction: plain(MAX_LENGTHS.identifier).optional(),
    transactionValue: z.number().min(0).max(MONEY_MAX).optional(),
    currency: z
      .string()
      .regex(/^[A-Za-z]{3,10}$/, 'expected a currency code, such as USD or USDC')
      .optional(),
    sessionDuration: z.int().min(1).max(SESSION_SECONDS_MAX).optional(),
    certifications: z.array(plain(MAX_LENGTHS.name)).max(MAX_LENGTHS.list).optional(),
    subAgent: z
      .object({ purpose: plain(MAX_LENGTHS.name).optional(), depth: z.int().min(1).max(1000).optional() })
      .optional(),
    createSession: z.boolean().optional(),
    enableRuntimeChallenge: z.boolean().optional(),
    includeTokenGuidance: z.boolean().optional(),
    dryRun: z.boolean().optional(),
    attemptId: z.guid('expected a UUID').optional(),
    callerMetadata: z
      .object({
        sourceIp: evidence.describe(
          'Address of the caller; evidence of a platform is as good as this is true',
        ),
        userAgent: evidence,
        referer: evidence,
        host: evidence,
        forwardedFor: evidence,
        agentCardUrl: evidence,
        signature: evidence.describe('Header `Signature` of the request, when it is signed (Web Bot Auth)'),
        signatureInput: evidence.describe('Header `Signature-Input`, as it came'),
        signatureAgent: evidence.describe('Header `Signature-Agent`, as it came'),
        method: evidence.describe('Method of the signed request'),
        targetUri: evidence.describe('Whole address of the signed request, as the caller sent it'),
      })
      .optional(),
    credentials: z
      .array(
        z.object({ type: z.enum(['did', 'vc', 'sd_jwt', 'x509']), value: z.string().min(1).max(32_768) }),
      )
      .max(10)
      .optional(),
  })
  .refine((body) => purposeName(body.purpose, body.action) !== undefined, {
    path: ['action'],
    message: 'names another category than purpose does',
    params: { code: 'contradictory' },
  })

/**
 * The body of a verification request.
 *
 * Unknown fields are ignored. `agentId` may arrive in a header instead; its absence selects the anonymous branch. A resource
 * may hold anything: what cannot be read in one way only is the decision's business. Spec: POST /api/agents/verify-access.
 */
export const verificationRequestSchema = requestFieldsSchema.refine(namesCounterparty, {
  message: 'one of counterpartyId and counterpartyUrl is required',
  params: { code: 'required' },
})

type Body = z.output<typeof requestFieldsSchema>

function namesCounterparty(body: { counterpartyId?: string; counterpartyUrl?: string }): boolean {
  return body.counterpartyId !== undefined || body.counterpartyUrl !== undefined
}

/**
 * A parsed verification request in the form that decisions and request hashes use.
 *
 * Names compared without regard to case are lower case (`category`, `action`), codes upper case (`jurisdiction`, `currency`).
 */
export type VerificationRequest = {
  agentId: string | undefined
  counterpartyId: string | undefined
  counterpartyUrl: string | undefined
  counterpartyType: string | undefined
  /** As it was sent. */
  purpose: string | undefined
  category: string | undefined
  /** Without its category. */
  action: string | undefined
  qualifiedAction: string | undefined
  resource: string | undefined
  /** The resource percent-decoded; `undefined` also where it cannot be read in one way only. */
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
  dryRun: boolean
  attemptId: string | undefined
  callerMetadata: Body['callerMetadata']
  credentials: Body['credentials']
}

/** A parsed request, or everything that is wrong with the body. */
type ParsedVerificationRequest =
  | { ok: true; request: VerificationRequest }
  | { ok: false; errors: FieldError[] }

/** Parses and normalises the untyped body of a verification request. */
export function parseVerificationRequest(body: unknown): ParsedVerificationRequest {
  const plain = parsePlainRequest(body)
  if (plain !== undefined && namesCounterparty(plain)) return { ok: true, request: plain }
  return parseBySchema(verificationRequestSchema, body)
}

/** Parses and normalises request fields as `parseVerificationRequest` does, but without asking for a counterparty. */
export function parseRequestFields(fields: unknown): ParsedVerificationRequest {
  const plain = parsePlainRequest(fields)
  return plain === undefined ? parseBySchema(requestFieldsSchema, fields) : { ok: true, request: plain }
}

function parsePlainRequest(body: unknown): VerificationRequest | undefined {
  if (!isPlainVerificationBody(body)) return undefined
  const plain = body as Body
  const name = purposeName(plain.purpose, plain.action)
  return name && requestOf(plain, name)
}

function parseBySchema(schema: z.ZodType<Body>, body: unknown): ParsedVerificationRequest {
  const parsed = parseWith(schema, body)
  if (!parsed.ok) return parsed
  const name = purposeName(parsed.value.purpose, parsed.value.action)
  return { ok: true, request: requestOf(parsed.value, name ?? NAMELESS) }
}

const NAMELESS: PurposeName = { category: undefined, action: undefined, qualifiedAction: undefined }

function requestOf(body: Body, name: PurposeName): VerificationRequest {
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
    plainResource: body.resource === undefined ? undefined : plainResource(body.resource),
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
    dryRun: body.dryRun ?? false,
    attemptId: body.attemptId,
    callerMetadata: body.callerMetadata && callerMetadataOf(body.callerMetadata),
    credentials: body.credentials,
  }
}

function callerMetadataOf(metadata: NonNullable<Body['callerMetadata']>): Body['callerMetadata'] {
  const { sourceIp, userAgent, referer, host, forwardedFor, agentCardUrl } = metadata
  const { signature, signatureInput, signatureAgent, method, targetUri } = metadata
  const known = { sourceIp, userAgent, referer, host, forwardedFor, agentCardUrl }
  return signature === undefined
    ? known
    : { ...known, signature, signatureInput, signatureAgent, method, targetUri }
}
