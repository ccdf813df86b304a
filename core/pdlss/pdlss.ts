import { z } from 'zod'
import { countSignificantDigits } from '../decimal.ts'
import { type FieldError, parseWith } from '../fieldErrors.ts'
import { parseGlob } from '../glob/parseGlob.ts'
import { PERIODS } from '../time/period.ts'
import { isTimeZone } from '../time/zone.ts'
import { parseCounterparty } from './counterparty.ts'
import { CUMULATIVE_SCOPES } from './cumulativeScope.ts'
import { findThresholdFaults } from './findThresholdFaults.ts'
import { policyName } from './policyName.ts'

const ITEMS_MAX = 100
const YEAR_SECONDS = 31_536_000
const MONEY_MAX = 1e15

const listOf = <Item extends z.ZodType>(item: Item) => z.array(item).max(ITEMS_MAX)
const seconds = z.int().min(1).max(YEAR_SECONDS)
const purposeName = policyName(100)
const code = z
  .string()
  .min(1, { abort: true })
  .max(64)
  .regex(/^[^\p{Cc}\s]+$/u, 'expected a code without spaces or control characters')
const label = z
  .string()
  .min(1, { abort: true })
  .max(200)
  .regex(/^\P{Cc}+$/u, 'expected text without control characters')
const money = z
  .number()
  .min(0)
  .max(MONEY_MAX)
  .refine(
    (value) => countSignificantDigits(value) <= 15,
    'expected an amount of at most 15 significant digits',
  )
const currency = z.string().regex(/^[A-Z]{3,10}$/, 'expected 3 to 10 upper-case letters, such as USD or USDC')
const score = z.number().min(0).max(100)
const glob = z.string().check((context) => {
  const parsed = parseGlob(context.value)
  if (!parsed.ok) {
    context.issues.push({
      code: 'custom',
      params: { code: 'invalid_glob' },
      input: context.value,
      message: `this glob ${parsed.problem}`,
    })
  }
})
const counterparty = z
  .string()
  .max(260)
  .refine(
    (entry) => parseCounterparty(entry) !== undefined,
    'expected a host name, *.host name or merchant:<id>',
  )
const timezone = z.string().refine(isTimeZone, {
  message: 'expected a time zone of the IANA database, such as Europe/Berlin',
  params: { code: 'unknown_time_zone' },
})

const allowedHours = z
  .strictObject({ start: z.int().min(0).max(24), end: z.int().min(0).max(24) })
  .refine(({ start, end }) => start !== end, 'start and end are equal, which leaves no hour')
  .refine(({ start }) => start < 24, { path: ['start'], message: 'a window cannot start at 24; write 0' })

const purpose = z.strictObject({
  categories: listOf(purposeName).optional().describe('Allowed purposes; any if missing or empty'),
  allowedActions: listOf(purposeName)
    .optional()
    .describe('`action` or `category.action`; any if missing or empty'),
  deniedActions: listOf(purposeName).optional().describe('Overrides `allowedActions`'),
})

const duration = z.strictObject({
  maxSessionDuration: seconds.optional().describe('Longest session, in seconds'),
  ttl: seconds.optional().describe('Seconds'),
  allowedDays: z
    .array(z.int().min(0).max(6))
    .max(7)
    .optional()
    .describe('0 is Sunday; every day if missing or empty'),
  allowedHours: allowedHours
    .optional()
    .describe('Whole hours of the day; a start after the end spans midnight'),
  timezone: timezone.optional().describe('IANA time zone of days and hours; default UTC'),
})

const limitFields = {
  autonomousThreshold: money.optional().describe('This amount or more needs the owner’s approval'),
  stepUpThreshold: money
    .optional()
    .describe('From this amount on, only a passkey assertion made for the approval is sufficient'),
  approvalThreshold: money.optional().describe('The Hard Limit: this amount and more is denied'),
  maxTransactionsPerHour: z.int().min(0).max(1_000_000).optional().describe('Granted transactions per hour'),
  currency: currency.optional().describe('Amounts in another currency are denied'),
}

const scopeFields = {
  jurisdictions: listOf(code).optional().describe('Codes, such as DE or US; any if missing or empty'),
  resources: listOf(glob).optional().describe('Globs, such as /api/products/**; any if missing or empty'),
  unverifiedCounterpartyPolicy: z
    .enum(['deny', 'warn', 'allow'])
    .optional()
    .describe('Policy for unregistered endpoints'),
  minCounterpartyTrustScore: score.optional().describe('0 to 100'),
}

const selfInstantiationFields = {
  allowed: z.boolean().optional().describe('Whether sub-agents are allowed; for an agent the default is no'),
  maxSubAgents: z.int().min(0).max(100_000).optional(),
  maxDepth: z.int().min(0).max(100).optional().describe('Maximum levels of sub-agents'),
  inheritPermissions: z.boolean().optional().describe('Sub-agents stay within this boundary'),
  requireApproval: z.boolean().optional().describe('Each sub-agent needs the owner’s approval'),
}

type Thresholds = { autonomousThreshold?: number; stepUpThreshold?: number; approvalThreshold?: number }

function checkThresholdOrder(context: z.core.ParsePayload<Thresholds>): void {
  for (const { code, path, message } of findThresholdFaults(context.value)) {
    context.issues.push({ code: 'custom', params: { code }, path, input: context.value, message })
  }
}

/**
 * The boundary of an agent.
 *
 * Unknown keys are refused at every level, because a misspelt rule would silently widen the boundary. Spec: PDLSS object;
 * `scope.counterparties` is an addition: host names and `merchant:<id>`; any if empty.
 */
export const agentPdlssSchema = z.strictObject({
  purpose: purpose.optional(),
  duration: duration.optional(),
  limits: z.strictObject(limitFields).check(checkThresholdOrder).optional(),
  scope: z.strictObject({ ...scopeFields, counterparties: listOf(counterparty).optional() }).optional(),
  selfInstantiation: z.strictObject(selfInstantiationFields).optional(),
})

/** The boundary of an endpoint: that of an agent plus the fields that only endpoints have. Spec: PDLSS object. */
export const endpointPdlssSchema = z.strictObject({
  purpose: purpose.optional(),
  duration: duration.optional(),
  limits: z
    .strictObject({
      ...limitFields,
      maxCumulativeSpend: money.optional(),
      cumulativePeriod: z.enum(PERIODS).optional(),
      cumulativeScope: z
        .enum(CUMULATIVE_SCOPES)
        .optional()
        .describe('Whose spend adds up: an agent’s (default), an owner’s, or everybody’s'),
    })
    .check(checkThresholdOrder)
    .optional(),
  scope: z
    .strictObject({
      ...scopeFields,
      deniedResources: listOf(glob).optional(),
      resourceTypes: listOf(policyName(200)).optional(),
      requiredCertifications: listOf(label).optional(),
    })
    .optional(),
  selfInstantiation: z
    .strictObject({ ...selfInstantiationFields, allowedSubAgentPurposes: listOf(purposeName).optional() })
    .optional(),
})

type AgentPdlss = z.infer<typeof agentPdlssSchema>
type EndpointPdlss = z.infer<typeof endpointPdlssSchema>

/** Whether a PDLSS object is the boundary of an agent or of an endpoint. */
export type PdlssSide = 'agent' | 'endpoint'

/** A parsed boundary of either side, without the fields of the other side. */
export type Pdlss = Omit<EndpointPdlss, 'scope'> & {
  scope?: NonNullable<EndpointPdlss['scope']> & NonNullable<AgentPdlss['scope']>
}

/** Parses an untyped boundary; each error names its field by a JSON pointer relative to `pdlss`. */
export function parsePdlss(
  value: unknown,
  side: PdlssSide,
): { ok: true; pdlss: Pdlss } | { ok: false; errors: FieldError[] } {
  const parsed = parseWith(side === 'agent' ? agentPdlssSchema : endpointPdlssSchema, value)
  return parsed.ok ? { ok: true, pdlss: parsed.value } : parsed
}
