import type { FieldError } from '@svc/core/fieldErrors.ts'
import { type PdlssSide, parsePdlss } from '@svc/core/pdlss/pdlss.ts'
import { PERIODS } from '@svc/core/time/period.ts'
import type { Boundary } from '../../api/types.ts'

/** How a field of a boundary is entered. */
type FieldKind = 'names' | 'count' | 'money' | 'yesNo' | 'choice' | 'days' | 'hours' | 'timezone' | 'currency'

/** One field of a boundary as a form asks for it. */
export type PdlssField = {
  name: string
  label: string
  help: string
  kind: FieldKind
  /** The side that alone has it. */
  only?: PdlssSide
  placeholder?: string
  /** What a choice offers, or what names are proposed. */
  options?: readonly string[]
  unit?: string
}

type Dimension = { name: string; title: string; about: string; fields: readonly PdlssField[] }

const field = (
  name: string,
  label: string,
  kind: FieldKind,
  help: string,
  more: Omit<Partial<PdlssField>, 'name'> = {},
): PdlssField => ({ name, label, kind, help, ...more })

const CATEGORIES = ['read_data', 'write_data', 'execute_action', 'shopping', 'financial_transaction']

/** The five dimensions with their fields, in their order. Source: Spec: PDLSS object; verification.md "Rules". */
export const pdlssFields: readonly Dimension[] = [
  {
    name: 'purpose',
    title: 'Purpose',
    about:
      'What it is for. An empty list restricts nothing; what is denied is denied whatever else is allowed.',
    fields: [
      field('categories', 'Categories', 'names', 'Kinds of purpose that are allowed.', {
        options: CATEGORIES,
      }),
      field('allowedActions', 'Allowed actions', 'names', 'An action, or category.action.', {
        placeholder: 'shopping.buy',
      }),
      field('deniedActions', 'Denied actions', 'names', 'Wins over everything that is allowed.', {
        placeholder: 'shopping.refund',
      }),
    ],
  },
  {
    name: 'duration',
    title: 'Duration',
    about: 'When, and for how long at a time.',
    fields: [
      field('maxSessionDuration', 'Longest session', 'count', 'A request for more is refused.', {
        unit: 'seconds',
      }),
      field('ttl', 'Token lifetime', 'count', 'How long a token of a session should live.', {
        unit: 'seconds',
      }),
      field('allowedDays', 'Days', 'days', 'None chosen: every day.'),
      field('allowedHours', 'Hours', 'hours', 'The end hour is not part of it. A window may span midnight.'),
      field('timezone', 'Time zone', 'timezone', 'Of the days and hours. None chosen: UTC.'),
    ],
  },
  {
    name: 'limits',
    title: 'Limits',
    about: 'How much may be spent without asking, how much with asking, and what is never allowed.',
    fields: [
      field(
        'autonomousThreshold',
        'Autonomous threshold',
        'money',
        'Below it, spend is allowed. From it on, the agent’s owner is asked.',
      ),
      field(
        'stepUpThreshold',
        'Step-up threshold',
        'money',
        'From it on, the owner approves with a passkey used for this one request.',
      ),
      field(
        'approvalThreshold',
        'Approval threshold',
        'money',
        'The hard limit: from it on, spend is refused. Left out, the highest one above is the limit.',
      ),
      field(
        'currency',
        'Currency',
        'currency',
        'A request in another currency is refused; nothing is converted.',
        {
          placeholder: 'USD',
        },
      ),
      field(
        'maxTransactionsPerHour',
        'Transactions an hour',
        'count',
        'Granted requests with a value, in any hour.',
      ),
      field(
        'maxCumulativeSpend',
        'Cumulative spend',
        'money',
        'The most that one agent may spend here in a period.',
        { only: 'endpoint' },
      ),
      field('cumulativePeriod', 'Period of the cumulative spend', 'choice', 'Left out: a day.', {
        only: 'endpoint',
        options: PERIODS,
      }),
    ],
  },
  {
    name: 'scope',
    title: 'Scope',
    about: 'Where, and on what.',
    fields: [
      field('resources', 'Resources', 'names', 'Globs. * is within a segment, ** any number of segments.', {
        placeholder: '/orders/**',
      }),
      field('deniedResources', 'Denied resources', 'names', 'Globs that win over those above.', {
        only: 'endpoint',
        placeholder: '/orders/internal/**',
      }),
      field('resourceTypes', 'Resource types', 'names', 'Types that may be asked for.', { only: 'endpoint' }),
      field(
        'requiredCertifications',
        'Required certifications',
        'names',
        'The agent needs all of them, written like this. An operator of the service grants them to agents.',
        { only: 'endpoint' },
      ),
      field('jurisdictions', 'Jurisdictions', 'names', 'Codes, such as DE or US-CA.', { placeholder: 'DE' }),
      field(
        'counterparties',
        'Counterparties',
        'names',
        'Host names, *.host names or merchant:<id>. Empty: any.',
        {
          only: 'agent',
          placeholder: '*.acme.io',
        },
      ),
      field(
        'unverifiedCounterpartyPolicy',
        'Counterparties that are not registered',
        'choice',
        'warn grants and says so in the answer.',
        {
          options: ['deny', 'warn', 'allow'],
        },
      ),
      field(
        'minCounterpartyTrustScore',
        'Least trust score of a counterparty',
        'count',
        'Discovered 20, self-asserted 50, proven domain 80.',
        {
          unit: 'of 100',
        },
      ),
    ],
  },
  {
    name: 'selfInstantiation',
    title: 'Self-instantiation',
    about: 'Whether it may create sub-agents.',
    fields: [
      field(
        'allowed',
        'Sub-agents may be created',
        'yesNo',
        'Not stated means no for an agent, and no restriction for an endpoint.',
      ),
      field('maxSubAgents', 'Most sub-agents', 'count', 'At one time.'),
      field('maxDepth', 'Deepest nesting', 'count', '1 is a sub-agent of the agent itself.'),
      field(
        'inheritPermissions',
        'They inherit the boundary',
        'yesNo',
        'A sub-agent may then do no more than its parent.',
      ),
      field(
        'requireApproval',
        'Each creation is approved by the owner',
        'yesNo',
        'The owner is asked every time.',
      ),
      field('allowedSubAgentPurposes', 'Purposes of sub-agents', 'names', 'Empty: any.', {
        only: 'endpoint',
      }),
    ],
  },
]

/** What is wrong with a boundary, by the schema that the service checks it with. Source: Spec: PDLSS object. */
export function boundaryProblems(boundary: Boundary, side: PdlssSide): readonly FieldError[] {
  const parsed = parsePdlss(boundary, side)
  return parsed.ok ? [] : parsed.errors
}
