import { escapeForTerminal } from '@svc/core/escapeForTerminal.ts'
import { openAuditChain } from '../audit/openAuditChain.ts'
import { EXIT } from '../exitCodes.ts'
import { readCredentials } from '../session/credentials.ts'
import { NotSignedIn } from '../session/notSignedIn.ts'
import { openService } from '../session/openService.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { UsageError } from '../terminal/usageError.ts'
import { acknowledgeFindings } from './acknowledgeFindings.ts'
import { type AlertMail, type AlertTargets, deliverAlert } from './deliverAlert.ts'
import type { LocatedFinding } from './findings.ts'
import { type LookDeps, lookAtService } from './lookAtService.ts'
import { createMonitorState, type MonitorState, readMonitorState, writeMonitorState } from './monitorState.ts'
import { openMonitoredService } from './openMonitoredService.ts'
import { type MonitorArguments, parseMonitorArguments } from './parseMonitorArguments.ts'
import { updateFindings } from './updateFindings.ts'

/** What the monitor needs besides its arguments. */
export type MonitorHost = Pick<Terminal, 'out' | 'err' | 'read' | 'credentialsFile' | 'now' | 'signal'> & {
  env: Readonly<Record<string, string | undefined>>
  pause(ms: number, signal: AbortSignal): Promise<void>
  /** A signal that is aborted after this time. */
  limit(ms: number): AbortSignal
  /** Sends an e-mail; null where there is no mail server. */
  sendMail: ((mail: AlertMail) => Promise<void>) | null
}

/** A look that takes longer is ended, and continued by the next one. */
const LOOK_MS_MAX = 300_000
/** How much of an obstacle, which contains words of the service, is printed. */
const NOTE_CHARACTERS_MAX = 1_000

/**
 * Follows the audit logs of a service until the signal, or looks at them once.
 *
 * The state is written before alerts are delivered and again afterwards, so a monitor that is killed in between repeats an
 * alert rather than losing it. A look that the signal interrupts leaves the state as it was.
 *
 * @returns 0 if nothing is wrong, 1 if something is, and 2 if something could not be checked.
 */
export async function runMonitorCommand(args: readonly string[], host: MonitorHost): Promise<number> {
  const input = parseMonitorArguments(args)
  const deps = openDeps(input, host)
  const targets = openTargets(input, host)
  const { stateFile, service } = input
  const read = stateFile === null ? createMonitorState(service) : readMonitorState(stateFile, service)
  let { state, dropped } = acknowledgeFindings(read, input.acknowledged)
  for (const finding of dropped) writeLine(host, 'acknowledged', finding)
  const store = () => stateFile === null || writeMonitorState(stateFile, state)
  const isWrong = () => Object.keys(state.findings).length > 0
  if (dropped.length > 0) store()
  let notes = ''
  for (;;) {
    const now = host.now()
    const signal = AbortSignal.any([host.signal, host.limit(LOOK_MS_MAX)])
    const look = await lookAtService(deps, state, { now, signal })
    if (host.signal.aborted) return isWrong() ? EXIT.negative : EXIT.done
    const { findings, ended } = updateFindings(state.findings, look, now)
    state = { ...look.state, findings }
    store()
    for (const finding of ended) writeLine(host, 'ended', finding)
    if (look.notes.join('\n') !== notes) for (const note of look.notes) host.err(note)
    notes = look.notes.join('\n')
    for (const obstacle of look.obstacles)
      host.err(`Not checked: ${escapeForTerminal(obstacle).slice(0, NOTE_CHARACTERS_MAX)}.`)
    if (await alert(host, targets, state)) store()
    if (input.once) return isWrong() ? EXIT.negative : look.obstacles.length === 0 ? EXIT.done : EXIT.unusable
    await host.pause(input.everyMs, host.signal)
    if (host.signal.aborted) return isWrong() ? EXIT.negative : EXIT.done
  }
}

/** Alerts of the findings that were not delivered yet; true if one was. */
async function alert(host: MonitorHost, targets: AlertTargets, state: MonitorState): Promise<boolean> {
  let hasChanged = false
  for (const finding of Object.values(state.findings)) {
    if (finding.isDelivered) continue
    if (host.signal.aborted) return hasChanged
    const { text, since, evidence } = finding
    writeLine(host, 'alert', finding, { since: new Date(since).toISOString(), message: text, evidence })
    try {
      await deliverAlert(targets, { service: state.service, finding, now: host.now(), signal: host.signal })
      finding.isDelivered = true
      hasChanged = true
    } catch (error) {
      host.err(
        `An alert was not delivered: ${error instanceof Error ? error.message : error}. It is sent again.`,
      )
    }
  }
  return hasChanged
}

function writeLine(
  host: MonitorHost,
  level: 'alert' | 'ended' | 'acknowledged',
  { id, log }: Pick<LocatedFinding, 'id' | 'log'>,
  fields: object = {},
): void {
  host.out(JSON.stringify({ level, time: new Date(host.now()).toISOString(), finding: id, log, ...fields }))
}

function openDeps(input: MonitorArguments, host: MonitorHost): LookDeps {
  const bearer = openBearer(input, host)
  const { chain, receivedFile } = input
  const wantsRecords = input.agents !== null || receivedFile !== null
  if (wantsRecords && bearer === null) {
    throw new NotSignedIn('Your records need an API key in MONITOR_API_KEY, or "svc login" at this service.')
  }
  return {
    openService: (signal) => openMonitoredService(input.service, bearer, signal),
    logKeys: input.logKeys,
    logIds: input.logIds,
    required: { witnesses: input.witnesses, cosignatures: input.cosignatures, maxAgeMs: input.maxAgeMs },
    openChain: chain === null ? null : (logId, signal) => openAuditChain({ ...chain, logId, signal }),
    checksRecords: bearer !== null,
    agents: input.agents,
    readReceived: () => (receivedFile === null ? [] : readIds(host, receivedFile)),
    patienceMs: input.patienceMs,
    pause: host.pause,
  }
}

/** Credentials are sent only to the service that they belong to. */
function openBearer({ service }: MonitorArguments, host: MonitorHost): (() => Promise<string>) | null {
  const key = host.env.MONITOR_API_KEY
  if (key) return async () => key
  return readCredentials(host.credentialsFile)?.apiBaseUrl === `${service}/api`
    ? openService(host, 'either').bearer
    : null
}

function openTargets({ webhook, mail }: MonitorArguments, host: MonitorHost): AlertTargets {
  const secret = host.env.MONITOR_WEBHOOK_SECRET ?? ''
  if (webhook !== null && secret === '')
    throw new UsageError('--webhook needs the secret that signs it, in MONITOR_WEBHOOK_SECRET')
  const { sendMail } = host
  if (mail !== null && sendMail === null)
    throw new UsageError('--mail needs SMTP_URL, and works with "npm run monitor" only')
  return {
    webhook: webhook === null ? null : { url: webhook, secret },
    mail: mail === null || sendMail === null ? null : { to: mail, send: sendMail },
  }
}

function readIds(host: MonitorHost, file: string): string[] {
  try {
    return host.read(file).split(/\s+/).filter(Boolean)
  } catch (cause) {
    throw new UsageError(`${file} cannot be read.`, { cause })
  }
}
