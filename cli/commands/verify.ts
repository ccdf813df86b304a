import { createVerifyClient, type VerificationAnswer, type VerificationFields } from '@svc/client'
import { escapeForTerminal } from '@svc/core/escapeForTerminal.ts'
import { isJsonObject } from '@svc/core/json.ts'
import { EXIT } from '../exitCodes.ts'
import { NotSignedIn } from '../session/notSignedIn.ts'
import { openService } from '../session/openService.ts'
import { parseCommandLine } from '../terminal/parseCommandLine.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { UsageError } from '../terminal/usageError.ts'
import type { Command } from './command.ts'

const OPTIONS = {
  endpoint: { type: 'string' },
  url: { type: 'string' },
  purpose: { type: 'string' },
  resource: { type: 'string' },
  jurisdiction: { type: 'string' },
  value: { type: 'string' },
  currency: { type: 'string' },
  request: { type: 'string' },
  'dry-run': { type: 'boolean' },
} as const

/** `svc verify`: asks for a decision as the counterparty of the API key. */
export const verify: Command = {
  summary: 'asks whether an agent may do something at an endpoint',
  usage: `Asks whether an agent may do something at an endpoint. The decision is recorded as any other.

  svc verify [AGENT] (--endpoint SVCE-… | --url URL) [--purpose P] [--resource R] [--value 12.5 --currency EUR] …

Without an agent, the endpoint's policy for callers without an identity decides.

  --endpoint ID       the endpoint that was called, or
  --url URL           its URL
  --purpose P         such as shopping:buy
  --resource R        such as /orders/17
  --jurisdiction C    such as DE
  --value N           amount of the transaction, with --currency
  --request FILE      further fields of verify-access as JSON, such as the headers of a signed request; - reads standard input
  --dry-run           decides without granting or counting anything
  --json              prints the response of the service

Exit code: 0 granted (or audit), 1 denied, 3 needs the owner's approval.`,

  async run(args, terminal) {
    const { values, positionals } = parseCommandLine(args, OPTIONS, 1)
    const { apiBaseUrl, apiKey } = openService(terminal, 'apiKey')
    if (apiKey === undefined) throw new NotSignedIn('This command needs an API key: run "svc login --key".')
    const fields = {
      ...readRequest(values.request, terminal),
      ...setFields({
        agentId: positionals[0],
        counterpartyId: values.endpoint,
        counterpartyUrl: values.url,
        purpose: values.purpose,
        resource: values.resource,
        jurisdiction: values.jurisdiction,
        currency: values.currency,
        transactionValue: parseValue(values.value),
        dryRun: values['dry-run'],
      }),
    }
    if (fields.counterpartyId === undefined && fields.counterpartyUrl === undefined) {
      throw new UsageError('Name the endpoint: --endpoint SVCE-… or --url URL.')
    }
    // The warnings are printed with the decision.
    const client = createVerifyClient({ apiBaseUrl, apiKey, disableInitChecks: true, warn: () => {} })
    const answer = await client.verifyAccess(fields)
    if (values.json) terminal.out(JSON.stringify(answer, null, 2))
    else for (const line of describe(answer)) terminal.out(escapeForTerminal(line))
    return exitCodeOf(answer.recommendation)
  },
}

/** Only what was given replaces a field of the request file. */
function setFields(fields: VerificationFields): VerificationFields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

function readRequest(file: string | undefined, terminal: Terminal): VerificationFields {
  if (file === undefined) return {}
  let value: unknown
  try {
    value = JSON.parse(terminal.read(file))
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : cause
    throw new UsageError(`--request ${file} cannot be read as JSON: ${why}`, { cause })
  }
  if (!isJsonObject(value)) throw new UsageError(`--request ${file} must contain a JSON object.`)
  return value
}

function parseValue(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d+(\.\d+)?$/.test(text)) throw new UsageError(`--value must be a number such as 12.5, got ${text}`)
  return Number(text)
}

function describe(answer: VerificationAnswer): string[] {
  const { recommendation, access } = answer
  const failures = 'failures' in access && Array.isArray(access.failures) ? access.failures : []
  return [
    `${recommendation}: access level ${access.accessLevel}`,
    ...failures.flatMap(({ dimension, message, guidance }) => [
      `  ${dimension}: ${message}`,
      ...(guidance ? [`    ${guidance}`] : []),
    ]),
    ...(answer.warnings ?? []).map((warning) => `  warning: ${warning}`),
    ...('auditRecordId' in answer && answer.auditRecordId ? [`  record ${answer.auditRecordId}`] : []),
    ...('stepUpApproval' in answer && answer.stepUpApproval
      ? [`  approve at ${answer.stepUpApproval.approvalUrl}`]
      : []),
  ]
}

/** An unknown recommendation, of a later version, is no grant. */
function exitCodeOf(recommendation: string): number {
  if (recommendation === 'grant' || recommendation === 'audit') return EXIT.done
  return recommendation === 'step_up_required' ? EXIT.needsApproval : EXIT.negative
}
