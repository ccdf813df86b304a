import { hasDueValue, MANDATE_PROTOCOLS } from '../commerce/mandates/presentedMandate.ts'
import { isJsonObject } from '../json.ts'
import { POLICY_NAME } from '../pdlss/policyNamePattern.ts'
import { MAX_LENGTHS, MONEY_MAX, SESSION_SECONDS_MAX } from './verificationLimits.ts'

/**
 * Whether a body is a valid verification request of the ordinary kind; it does not say what is wrong with another.
 *
 * The schema takes microseconds because it tracks errors, yet nearly every request is valid. So the parser
 * calls this function first, and runs the schema only on a body that it rejects. A property test compares the two. A body
 * with credentials is left to the schema, and rules that concern several fields are left to the parser.
 */
export function isPlainVerificationBody(body: unknown): boolean {
  if (!isJsonObject(body)) return false
  return (
    isText(body.agentId, MAX_LENGTHS.identifier) &&
    isText(body.counterpartyId, MAX_LENGTHS.identifier) &&
    isText(body.counterpartyUrl, MAX_LENGTHS.url) &&
    isText(body.counterpartyType, MAX_LENGTHS.identifier) &&
    isName(body.purpose) &&
    isName(body.action) &&
    isString(body.resource, 1, MAX_LENGTHS.resource) &&
    isName(body.resourceType) &&
    isText(body.jurisdiction, MAX_LENGTHS.identifier) &&
    isAmount(body.transactionValue) &&
    isCurrency(body.currency) &&
    isInteger(body.sessionDuration, 1, SESSION_SECONDS_MAX) &&
    isTextList(body.certifications) &&
    isSubAgent(body.subAgent) &&
    isFlag(body.createSession) &&
    isFlag(body.enableRuntimeChallenge) &&
    isFlag(body.includeTokenGuidance) &&
    isFlag(body.includeReceipt) &&
    isFlag(body.dryRun) &&
    (body.attemptId === undefined || isGuid(body.attemptId)) &&
    isHash(body.callHash) &&
    isCallerMetadata(body.callerMetadata) &&
    isString(body.intentProof, 1, MAX_LENGTHS.proof) &&
    isString(body.agentToken, 1, MAX_LENGTHS.proof) &&
    isMandate(body.mandate) &&
    body.credentials === undefined
  )
}

function isString(value: unknown, min: number, max: number): boolean {
  return value === undefined || (typeof value === 'string' && value.length >= min && value.length <= max)
}

function isText(value: unknown, max: number): boolean {
  if (value === undefined) return true
  if (typeof value !== 'string' || value.length === 0 || value.length > max) return false
  for (let at = 0; at < value.length; at += 1) {
    const code = value.charCodeAt(at)
    if (code < 32 || (code >= 127 && code < 160)) return false
  }
  return true
}

function isName(value: unknown): boolean {
  if (value === undefined) return true
  return typeof value === 'string' && value.length <= MAX_LENGTHS.name && POLICY_NAME.test(value)
}

function isAmount(value: unknown): boolean {
  return value === undefined || (typeof value === 'number' && value >= 0 && value <= MONEY_MAX)
}

function isCurrency(value: unknown): boolean {
  if (value === undefined) return true
  if (typeof value !== 'string' || value.length < 3 || value.length > 10) return false
  for (let at = 0; at < value.length; at += 1) {
    const lower = value.charCodeAt(at) | 32
    if (lower < 97 || lower > 122) return false
  }
  return true
}

function isInteger(value: unknown, min: number, max: number): boolean {
  return value === undefined || (Number.isInteger(value) && Number(value) >= min && Number(value) <= max)
}

function isFlag(value: unknown): boolean {
  return value === undefined || typeof value === 'boolean'
}

function isTextList(value: unknown): boolean {
  if (value === undefined) return true
  if (!Array.isArray(value) || value.length > MAX_LENGTHS.list) return false
  return value.every((item) => item !== undefined && isText(item, MAX_LENGTHS.name))
}

function isSubAgent(value: unknown): boolean {
  if (value === undefined) return true
  if (!isJsonObject(value)) return false
  const { purpose, depth } = value
  return isName(purpose) && isInteger(depth, 1, 1000)
}

function isMandate(value: unknown): boolean {
  if (value === undefined) return true
  if (!isJsonObject(value)) return false
  return (
    (MANDATE_PROTOCOLS as readonly unknown[]).includes(value.protocol) &&
    isString(value.value, 1, MAX_LENGTHS.mandate) &&
    isString(value.payee, 1, MAX_LENGTHS.payee) &&
    hasDueValue(value)
  )
}

function isGuid(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)
}

function isHash(value: unknown): boolean {
  return value === undefined || (typeof value === 'string' && /^[0-9a-f]{64}$/.test(value))
}

function isCallerMetadata(value: unknown): boolean {
  if (value === undefined) return true
  if (!isJsonObject(value)) return false
  const { sourceIp, userAgent, referer, host, forwardedFor, agentCardUrl, signature, signatureInput } = value
  const { signatureAgent, method, targetUri, contentDigest } = value
  return (
    isString(sourceIp, 0, MAX_LENGTHS.evidence) &&
    isString(userAgent, 0, MAX_LENGTHS.evidence) &&
    isString(referer, 0, MAX_LENGTHS.evidence) &&
    isString(host, 0, MAX_LENGTHS.evidence) &&
    isString(forwardedFor, 0, MAX_LENGTHS.evidence) &&
    isString(agentCardUrl, 0, MAX_LENGTHS.evidence) &&
    isString(signature, 0, MAX_LENGTHS.evidence) &&
    isString(signatureInput, 0, MAX_LENGTHS.evidence) &&
    isString(signatureAgent, 0, MAX_LENGTHS.evidence) &&
    isString(method, 0, MAX_LENGTHS.evidence) &&
    isString(targetUri, 0, MAX_LENGTHS.evidence) &&
    isString(contentDigest, 0, MAX_LENGTHS.evidence)
  )
}
