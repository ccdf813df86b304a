import { z } from 'zod'
import { countSignificantDigits } from '../decimal.ts'
import { type FieldError, parseWith } from '../fieldErrors.ts'
import { parseGlob } from '../glob/parseGlob.ts'
import { PERIODS } from '../time/period.ts'
import { isTimeZone } from '../time/zone.ts'
import { parseCounterparty } from './counterparty.ts'

const ITEMS_MAX = 100
const YEAR_SECONDS = 31_536_000
const MONEY_MAX = 1e15

const listOf = <Item extends z.ZodType>(item: Item) => z.array(item).max(ITEMS_MAX)
const seconds = z.int().min(1).max(YEAR_SECONDS)
const purposeName = z
  .string()
  .min(1, { abort: true })
  .max(100)
  .regex(/^[^\p{Cc}*?\s]+( [^\p{Cc}*?\s]+)*$/u, 'expected a name without wildcards or control characters')
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
const currency = z.string().regex(/^[A-Z]{3,10}$/, 'expected 3 to 10 capital letters, such as USD or USDC')
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
  .refine(({ start, end }) => start !== end, 'start and end are the same, which leaves no hour')
  .refine(({ start }) => start < 24, { path: ['start'], message: 'a window cannot begin at 24; write 0' })

const purpose = z.strictObject({
  categories: listOf(purposeName).optional().describe('What it may be for; none or empty: anything'),
  allowedActions: listOf(purposeName)
    .optional()
    .describe('`action` or `category.action`; none or empty: any'),
  deniedActions: listOf(purposeName).optional().describe('Wins over allowedActions'),
})

const duration = z.strictObject({
  maxSessionDuration: seconds.optional().describe('Longest session, in seconds'),
  ttl: seconds.optional().describe('Seconds'),
  allowedDays: z
    .array(z.int().min(0).max(6))
    .max(7)
    .optional()
    .describe('0 is Sunday; none or empty: every day'),
  allowedHours: allowedHours.optional().describe('Whole hours of the day; start after end spans midnight'),
  timezone: timezone.optional().describe('IANA name of the zone of days and hours; UTC without'),
})

const limitFields = {
  autonomousThreshold: money.optional().describe('From this amount on the owner is asked'),
  stepUpThreshold: money.optional().describe('From this amount on with a passkey for this very request'),
  approvalThreshold: money.optional().describe('From this amount on never: the Hard Limit'),
  maxTransactionsPerHour: z.int().min(0).max(1_000_000).optional().describe('Grants in an hour'),
  currency: currency.optional().describe('Amounts in another currency are refused'),
}

const scopeFields = {
  jurisdictions: listOf(code).optional().describe('Codes, such as DE or US; none or empty: any'),
  resources: listOf(glob).optional().describe('Globs, such as /api/products/**; none or empty: any'),
  unverifiedCounterpartyPolicy: z
    .enum(['deny', 'warn', 'allow'])
    .optional()
    .describe('Where the endpoint is not verified'),
  minCounterpartyTrustScore: score.optional().describe('0 to 100'),
}

const selfInstantiationFields = {
  allowed: z
    .boolean()
    .optional()
    .describe('Whether it may have sub-agents; an agent may not unless it says so'),
  maxSubAgents: z.int().min(0).max(100_000).optional(),
  maxDepth: z.int().min(0).max(100).optional().describe('Levels below it'),
  inheritPermissions: z.boolean().optional().describe('Sub-agents stay within this boundary'),
  requireApproval: z.boolean().optional().describe('The owner approves each'),
}

type Thresholds = { autonomousThreshold?: number; stepUpThreshold?: number; approvalThreshold?: number }

/** An owner who writes 500 before 100 has confused two fields; guessing which would move a spend limit. */
function checkThresholdOrder(context: z.core.ParsePayload<Thresholds>): void {
  const names = ['autonomousThreshold', 'stepUpThreshold', 'approvalThreshold'] as const
  let highest: { name: string; value: number } | undefined
  for (const name of names) {
    const value = context.value[name]
    if (value === undefined) continue
    if (highest !== undefined && value < highest.value) {
      context.issues.push({
        code: 'custom',
        params: { code: 'contradictory' },
        path: [name],
        input: value,
        message: `expected at least ${highest.name}: autonomousThreshold ≤ stepUpThreshold ≤ approvalThreshold`,
      })
    }
    if (highest === undefined || value > highest.value) highest = { name, value }
  }
}

/**
 * The boundary of an agent.
 *
 * Unknown keys are refused at every level, because a misspelt rule would silently widen the boundary. Spec: PDLSS object;
 * `scope.counterparties` is an addition: host names and `merchant:<id>`, empty means any.
 */
export const agentPdlssSchema = z.strictObject({
  purpose: purpose.optional(),
  duration: duration.optional(),
  limits: z.strictObject(limitFields).check(checkThresholdOrder).optional(),
  scope: z.strictObject({ ...scopeFields, counterparties: listOf(counterparty).optional() }).optional(),
  selfInstantiation: z.strictObject(selfInstantiationFields).optional(),
})

/** The boundary of an endpoint: the agent's object with the additions only an endpoint has. Spec: PDLSS object. */
export const endpointPdlssSchema = z.strictObject({
  purpose: purpose.optional(),
  duration: duration.optional(),
  limits: z
    .strictObject({
      ...limitFields,
      maxCumulativeSpend: money.optional(),
      cumulativePeriod: z.enum(PERIODS).optional(),
    })
    .check(checkThresholdOrder)
    .optional(),
  scope: z
    .strictObject({
      ...scopeFields,
      deniedResources: listOf(glob).optional(),
      resourceTypes: listOf(label).optional(),
      requiredCertifications: listOf(label).optional(),
    })
    .optional(),
  selfInstantiation: z
    .strictObject({ ...selfInstantiationFields, allowedSubAgentPurposes: listOf(purposeName).optional() })
    .optional(),
})

type AgentPdlss = z.infer<typeof agentPdlssSchema>
type EndpointPdlss = z.infer<typeof endpointPdlssSchema>

/** Which of the two boundaries a PDLSS object is. */
export type PdlssSide = 'agent' | 'endpoint'

/** A parsed boundary of either side; the fields of the other side are simply absent. */
export type Pdlss = Omit<EndpointPdlss, 'scope'> & {
  scope?: NonNullable<EndpointPdlss['scope']> & NonNullable<AgentPdlss['scope']>
}

/** Parses an untyped boundary; every error names its field by JSON pointer below `pdlss`. */
export function parsePdlss(
  value: unknown,
  side: PdlssSide,
): { ok: true; pdlss: Pdlss } | { ok: false; errors: FieldError[] } {
  const parsed = parseWith(side === 'agent' ? agentPdlssSchema : endpointPdlssSchema, value)
  return parsed.ok ? { ok: true, pdlss: parsed.value } : parsed
}
