import type { FieldError } from '@svc/core/fieldErrors.ts'
import { CUMULATIVE_SCOPES } from '@svc/core/pdlss/cumulativeScope.ts'
import { type PdlssSide, parsePdlss } from '@svc/core/pdlss/pdlss.ts'
import { PERIODS } from '@svc/core/time/period.ts'

/** A boundary while it is edited: its dimensions with their fields, not yet validated. */
export type Boundary = Record<string, Record<string, unknown> | undefined>

/** How a field of a boundary is entered. */
type FieldKind = 'names' | 'count' | 'money' | 'yesNo' | 'choice' | 'days' | 'hours' | 'timezone' | 'currency'

/** One field of a boundary in the form. */
export type PdlssField = {
  name: string
  label: string
  help: string
  kind: FieldKind
  /** The only side that has this field; both if absent. */
  only?: PdlssSide
  placeholder?: string
  /** The options of a choice, or suggestions for names. */
  options?: readonly string[]
  /** How the options of a choice read, in the same order. */
  optionLabels?: readonly string[]
  /** What a number counts, in the plural. */
  unit?: string
  /** The highest number. */
  max?: number
  /** A number that makes sense here. */
  example?: string
}

type Dimension = { name: string; title: string; about: string; fields: readonly PdlssField[] }

const toField = (
  name: string,
  label: string,
  kind: FieldKind,
  help: string,
  more: Omit<Partial<PdlssField>, 'name'> = {},
): PdlssField => ({ name, label, kind, help, ...more })

const CATEGORIES = ['read_data', 'write_data', 'execute_action', 'shopping', 'financial_transaction']

/** The five dimensions and their fields, in order. Source: Spec: PDLSS object. */
export const boundaryDimensions: readonly Dimension[] = [
  {
    name: 'purpose',
    title: 'Purpose',
    about:
      'What it may be used for. An empty list restricts nothing; a denied action is denied whatever else is allowed.',
    fields: [
      toField('categories', 'Categories', 'names', 'Allowed kinds of purpose.', {
        options: CATEGORIES,
      }),
      toField('allowedActions', 'Allowed actions', 'names', 'An action, or category.action.', {
        placeholder: 'shopping.buy',
      }),
      toField('deniedActions', 'Denied actions', 'names', 'Takes precedence over everything allowed.', {
        placeholder: 'shopping.refund',
      }),
    ],
  },
  {
    name: 'duration',
    title: 'Duration',
    about: 'When, and for how long at a time.',
    fields: [
      toField('maxSessionDuration', 'Maximum session duration', 'count', 'Longer sessions are denied.', {
        unit: 'seconds',
        example: '1800',
      }),
      toField('ttl', 'Token lifetime', 'count', 'Lifetime of a session token.', {
        unit: 'seconds',
        example: '1800',
      }),
      toField('allowedDays', 'Days', 'days', 'None selected: every day.'),
      toField('allowedHours', 'Hours', 'hours', 'The end hour is exclusive. A window may span midnight.'),
      toField('timezone', 'Time zone', 'timezone', 'Applies to the days and hours. Default: UTC.'),
    ],
  },
  {
    name: 'limits',
    title: 'Limits',
    about: 'How much may be spent without approval, how much with approval, and what is never allowed.',
    fields: [
      toField(
        'autonomousThreshold',
        'Autonomous threshold',
        'money',
        'Below this amount, spending is allowed. At or above it, the agent’s owner must approve.',
      ),
      toField(
        'stepUpThreshold',
        'Step-up threshold',
        'money',
        'At or above this amount, the owner must approve each request with a fresh passkey.',
      ),
      toField(
        'approvalThreshold',
        'Approval threshold',
        'money',
        'The hard limit: at or above it, spending is denied. Default: the highest threshold above.',
      ),
      toField(
        'currency',
        'Currency',
        'currency',
        'Requests in another currency are denied; nothing is converted.',
        {
          placeholder: 'USD',
        },
      ),
      toField(
        'maxTransactionsPerHour',
        'Transactions per hour',
        'count',
        'Maximum number of granted requests with a value, in any hour.',
      ),
      toField(
        'maxCumulativeSpend',
        'Cumulative spend limit',
        'money',
        'The most that one agent may spend here per period.',
        { only: 'endpoint' },
      ),
      toField('cumulativePeriod', 'Cumulative spend period', 'choice', 'Default: a day.', {
        only: 'endpoint',
        options: PERIODS,
        optionLabels: ['An hour', 'A day', 'A week', 'A month', 'All time'],
      }),
      toField('cumulativeScope', 'Cumulative spend of', 'choice', 'Default: each agent.', {
        only: 'endpoint',
        options: CUMULATIVE_SCOPES,
        optionLabels: ['Each agent', 'The agents of one owner together', 'All callers together'],
      }),
    ],
  },
  {
    name: 'scope',
    title: 'Scope',
    about: 'Where, and on which resources.',
    fields: [
      toField(
        'resources',
        'Resources',
        'names',
        'Globs. * matches within a segment, ** any number of segments.',
        {
          placeholder: '/orders/**',
        },
      ),
      toField(
        'deniedResources',
        'Denied resources',
        'names',
        'Globs that take precedence over those above.',
        {
          only: 'endpoint',
          placeholder: '/orders/internal/**',
        },
      ),
      toField('resourceTypes', 'Resource types', 'names', 'Allowed types.', { only: 'endpoint' }),
      toField(
        'requiredCertifications',
        'Required certifications',
        'names',
        'The agent needs all of them, spelled exactly like this. Operators of the service grant them to agents.',
        { only: 'endpoint' },
      ),
      toField('jurisdictions', 'Jurisdictions', 'names', 'Codes such as DE or US-CA.', { placeholder: 'DE' }),
      toField(
        'counterparties',
        'Counterparties',
        'names',
        'Host names, *.host names or merchant:<id>. Empty: any.',
        {
          only: 'agent',
          placeholder: '*.acme.io',
        },
      ),
      toField(
        'unverifiedCounterpartyPolicy',
        'Unregistered counterparties',
        'choice',
        'Counterparties that no organisation has registered.',
        {
          options: ['deny', 'warn', 'allow'],
          optionLabels: ['Denied', 'Granted, with a warning in the response', 'Granted'],
        },
      ),
      toField(
        'minCounterpartyTrustScore',
        'Minimum trust score of a counterparty',
        'count',
        'Discovered 20, self-asserted 50, domain-verified 80.',
        {
          max: 100,
        },
      ),
    ],
  },
  {
    name: 'selfInstantiation',
    title: 'Self-instantiation',
    about: 'Whether it may create sub-agents.',
    fields: [
      toField(
        'allowed',
        'Sub-agents allowed',
        'yesNo',
        'If not set: not allowed for an agent, unrestricted for an endpoint.',
      ),
      toField('maxSubAgents', 'Maximum sub-agents', 'count', 'At any one time.'),
      toField('maxDepth', 'Maximum depth', 'count', '1 is a direct sub-agent.'),
      toField(
        'inheritPermissions',
        'Sub-agents inherit the boundary',
        'yesNo',
        'A sub-agent may do no more than its parent.',
      ),
      toField('requireApproval', 'Owner approves each creation', 'yesNo', 'The owner is asked every time.'),
      toField('allowedSubAgentPurposes', 'Sub-agent purposes', 'names', 'Empty: any.', {
        only: 'endpoint',
      }),
    ],
  },
]

/** Validates a boundary with the service's own schema and returns the errors. Source: Spec: PDLSS object. */
export function findBoundaryProblems(boundary: Boundary, side: PdlssSide): readonly FieldError[] {
  const parsed = parsePdlss(boundary, side)
  return parsed.ok ? [] : parsed.errors
}
