import { countSignificantDigits } from '../decimal.ts'
import { parseGlob } from '../glob/parseGlob.ts'
import { type RecordShape, type Shape, type ShapeFault, strict } from '../shape/shape.ts'
import { PERIODS } from '../time/period.ts'
import { isTimeZone } from '../time/zone.ts'
import { parseCounterparty } from './counterparty.ts'
import { CUMULATIVE_SCOPES } from './cumulativeScope.ts'
import { findThresholdFaults } from './findThresholdFaults.ts'
import type { PdlssSide } from './pdlss.ts'
import { POLICY_NAME, POLICY_NAME_EXPECTED } from './policyNamePattern.ts'

const flag: Shape = { kind: 'flag' }
const integer = (min: number, max: number): Shape => ({ kind: 'number', min, max, isInteger: true })
const listOf = (item: Shape, lengthMax = 100): Shape => ({ kind: 'list', item, lengthMax })
const word = (lengthMax: number, test: RegExp, message: string): Shape => ({
  ...{ kind: 'text', lengthMin: 1, lengthMax, endsWhenShort: true, pattern: { test, message } },
})

/** A name in a boundary or request. */
export const nameShape = (lengthMax: number): Shape => word(lengthMax, POLICY_NAME, POLICY_NAME_EXPECTED)

const names = listOf(nameShape(100))
const seconds = integer(1, 31_536_000)
const money: Shape = {
  kind: 'number',
  min: 0,
  max: 1e15,
  find: (value) =>
    countSignificantDigits(value) <= 15
      ? []
      : [{ message: 'expected an amount of at most 15 significant digits' }],
}
const currency: Shape = {
  kind: 'text',
  pattern: { test: /^[A-Z]{3,10}$/, message: 'expected 3 to 10 upper-case letters, such as USD or USDC' },
}
const globs = listOf({
  kind: 'text',
  find: (text) => {
    const parsed = parseGlob(text)
    return parsed.ok ? [] : [{ code: 'invalid_glob', message: `this glob ${parsed.problem}` }]
  },
})
const counterparties = listOf({
  kind: 'text',
  lengthMax: 260,
  find: (text) =>
    parseCounterparty(text) === undefined
      ? [{ message: 'expected a host name, *.host name or merchant:<id>' }]
      : [],
})
const timezone: Shape = {
  kind: 'text',
  find: (text) => (isTimeZone(text) ? [] : [UNKNOWN_ZONE]),
}
const UNKNOWN_ZONE: ShapeFault = {
  code: 'unknown_time_zone',
  message: 'expected a time zone of the IANA database, such as Europe/Berlin',
}
const certifications = listOf(word(200, /^\P{Cc}+$/u, 'expected text without control characters'))
const jurisdictions = listOf(
  word(64, /^[^\p{Cc}\s]+$/u, 'expected a code without spaces or control characters'),
)

const allowedHours = strict(
  { start: integer(0, 24), end: integer(0, 24) },
  {
    required: ['start', 'end'],
    find: ({ start, end }) => [
      ...(start === end ? [{ message: 'start and end are equal, which leaves no hour' }] : []),
      ...(start === 24 ? [{ path: ['start'], message: 'a window cannot start at 24; write 0' }] : []),
    ],
  },
)

const limits = {
  ...{ autonomousThreshold: money, stepUpThreshold: money, approvalThreshold: money },
  ...{ maxTransactionsPerHour: integer(0, 1_000_000), currency },
}

const scope: Record<string, Shape> = {
  jurisdictions,
  resources: globs,
  unverifiedCounterpartyPolicy: { kind: 'choice', values: ['deny', 'warn', 'allow'] },
  minCounterpartyTrustScore: { kind: 'number', min: 0, max: 100 },
}

const selfInstantiation = {
  ...{ allowed: flag, maxSubAgents: integer(0, 100_000), maxDepth: integer(0, 100) },
  ...{ inheritPermissions: flag, requireApproval: flag },
}

/** The members that only one side has. */
const ADDITIONS: Record<
  PdlssSide,
  Record<'limits' | 'scope' | 'selfInstantiation', Record<string, Shape>>
> = {
  agent: { limits: {}, scope: { counterparties }, selfInstantiation: {} },
  endpoint: {
    limits: {
      maxCumulativeSpend: money,
      cumulativePeriod: { kind: 'choice', values: PERIODS },
      cumulativeScope: { kind: 'choice', values: CUMULATIVE_SCOPES },
    },
    scope: {
      ...{ deniedResources: globs, resourceTypes: listOf(nameShape(200)) },
      requiredCertifications: certifications,
    },
    selfInstantiation: { allowedSubAgentPurposes: names },
  },
}

/** The shape of a boundary, for which the service's contract has `agentPdlssSchema` and `endpointPdlssSchema`. */
export function pdlssShape(side: PdlssSide): RecordShape {
  const added = ADDITIONS[side]
  return strict({
    purpose: strict({ categories: names, allowedActions: names, deniedActions: names }),
    duration: strict({
      ...{ maxSessionDuration: seconds, ttl: seconds, allowedDays: listOf(integer(0, 6), 7) },
      ...{ allowedHours, timezone },
    }),
    limits: strict({ ...limits, ...added.limits }, { find: findThresholdFaults }),
    scope: strict({ ...scope, ...added.scope }),
    selfInstantiation: strict({ ...selfInstantiation, ...added.selfInstantiation }),
  })
}
