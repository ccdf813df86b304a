import { DUE_VALUE, hasDueValue, MANDATE_PROTOCOLS } from '../commerce/mandates/presentedMandate.ts'
import { nameShape } from '../pdlss/pdlssShape.ts'
import type { RecordShape, Shape } from '../shape/shape.ts'
import { MAX_LENGTHS, MONEY_MAX, SESSION_SECONDS_MAX } from './verificationLimits.ts'

const flag: Shape = { kind: 'flag' }
const name = nameShape(MAX_LENGTHS.name)
const evidence: Shape = { kind: 'text', lengthMax: MAX_LENGTHS.evidence }
const text = (lengthMax: number): Shape => ({
  ...{ kind: 'text', lengthMin: 1, lengthMax, endsWhenShort: true },
  pattern: { test: /^\P{Cc}+$/u, message: 'expected text without control characters' },
})

const proof: Shape = { kind: 'text', lengthMin: 1, lengthMax: MAX_LENGTHS.proof }

const mandate: RecordShape = {
  kind: 'record',
  members: {
    protocol: { kind: 'choice', values: MANDATE_PROTOCOLS },
    value: { kind: 'text', lengthMin: 1, lengthMax: MAX_LENGTHS.mandate },
    payee: { kind: 'text', lengthMin: 1, lengthMax: MAX_LENGTHS.payee },
  },
  required: ['protocol'],
  find: (value) => (hasDueValue(value) ? [] : [{ path: ['value'], message: DUE_VALUE }]),
}

const credential: RecordShape = {
  kind: 'record',
  members: {
    type: { kind: 'choice', values: ['did', 'vc', 'sd_jwt', 'x509', 'erc8004'] },
    value: { kind: 'text', lengthMin: 1, lengthMax: 32_768 },
  },
  required: ['type', 'value'],
}

/** The shape of a verification request, for which the service's contract has `verificationBodySchema`. */
export const verificationBodyShape: RecordShape = {
  kind: 'record',
  members: {
    agentId: text(MAX_LENGTHS.identifier),
    counterpartyId: text(MAX_LENGTHS.identifier),
    counterpartyUrl: text(MAX_LENGTHS.url),
    counterpartyType: text(MAX_LENGTHS.identifier),
    purpose: name,
    action: name,
    resource: { kind: 'text', lengthMin: 1, lengthMax: MAX_LENGTHS.resource },
    resourceType: name,
    jurisdiction: text(MAX_LENGTHS.identifier),
    transactionValue: { kind: 'number', min: 0, max: MONEY_MAX },
    currency: {
      kind: 'text',
      pattern: { test: /^[A-Za-z]{3,10}$/, message: 'expected a currency code, such as USD or USDC' },
    },
    sessionDuration: { kind: 'number', min: 1, max: SESSION_SECONDS_MAX, isInteger: true },
    certifications: { kind: 'list', item: text(MAX_LENGTHS.name), lengthMax: MAX_LENGTHS.list },
    subAgent: {
      kind: 'record',
      members: { purpose: name, depth: { kind: 'number', min: 1, max: 1000, isInteger: true } },
    },
    ...{ createSession: flag, enableRuntimeChallenge: flag, includeTokenGuidance: flag },
    ...{ includeReceipt: flag, dryRun: flag },
    attemptId: {
      kind: 'text',
      pattern: {
        test: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
        message: 'expected a UUID',
      },
    },
    callHash: {
      kind: 'text',
      pattern: { test: /^[0-9a-f]{64}$/, message: 'expected a SHA-256 in 64 lower-case hexadecimal digits' },
    },
    callerMetadata: {
      kind: 'record',
      members: {
        ...{ sourceIp: evidence, userAgent: evidence, referer: evidence, host: evidence },
        ...{ forwardedFor: evidence, agentCardUrl: evidence, signature: evidence },
        ...{ signatureInput: evidence, signatureAgent: evidence, method: evidence, targetUri: evidence },
        contentDigest: evidence,
      },
      keepsUnknown: true,
    },
    intentProof: proof,
    agentToken: proof,
    mandate,
    credentials: { kind: 'list', item: credential, lengthMax: 10 },
  },
}
