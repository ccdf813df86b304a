import { openAuditChain } from '../audit/openAuditChain.ts'
import { EXIT } from '../exitCodes.ts'
import { readCredentials } from '../session/credentials.ts'
import { NotSignedIn } from '../session/notSignedIn.ts'
import { openService } from '../session/openService.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { UsageError } from '../terminal/usageError.ts'
import { type AlertMail, type AlertTargets, deliverAlert } from './deliverAlert.ts'
import { type LookDeps, lookAtLog } from './lookAtLog.ts'
import { createMonitorState, type MonitorState, readMonitorState, writeMonitorState } from './monitorState.ts'
import { openMonitoredService } from './openMonitoredService.ts'
import { type MonitorArguments, parseMonitorArguments } from './parseMonitorArguments.ts'
import { updateFindings } from './updateFindings.ts'

/** What the monitor needs besides its arguments. */
export type MonitorHost = Pick<Terminal, 'out' | 'err' | 'read' | 'credentialsFile' | 'now' | 'signal'> & {
  env: Readonly<Record<string, string | undefined>>
  pause(ms: number, signal: AbortSignal): Promise<void>
  /** Sends an e-mail; null where there is no mail server. */
  sendMail: ((mail: AlertMail) => Promise<void>) | null
}

/**
 * Follows an audit log until the signal, or looks at it once.
 *
 * The state is written before alerts are delivered and again afterwards, so a monitor that is killed in between repeats an
 * alert rather than losing it.
 *
 * @returns 0 if nothing is wrong, 1 if something is, and 2 if something could not be checked.
 */
export async function runMonitorCommand(args: readonly string[], host: MonitorHost): Promise<number> {
  const input = parseMonitorArguments(args)
  const deps = openDeps(input, host)
  const targets = openTargets(input, host)
  const { stateFile, service } = input
  let state = stateFile === null ? createMonitorState(service) : readMonitorState(stateFile, service)
  const store = () => stateFile === null || writeMonitorState(stateFile, state)
  if (input.logKey === null && state.logKey === null) {
    host.err(
      'The key of the log is taken from the service itself: pass --log-key if you know it from elsewhere.',
    )
  }
  for (;;) {
    const now = host.now()
    const look = await lookAtLog(deps, state, now)
    const { findings, ended } = updateFindings(state.findings, look, now)
    state = { ...look.state, findings }
    store()
    for (const id of ended) writeLine(host, 'ended', { finding: id })
    if (look.unchecked !== null) host.err(`Not checked: ${look.unchecked}.`)
    if (await alert(host, targets, state)) store()
    const isWrong = Object.keys(findings).length > 0
    if (input.once) return isWrong ? EXIT.negative : look.unchecked === null ? EXIT.done : EXIT.unusable
    await host.pause(input.everyMs, host.signal)
    if (host.signal.aborted) return isWrong ? EXIT.negative : EXIT.done
  }
}

/** Alerts of the findings that were not delivered yet; true if one was. */
async function alert(host: MonitorHost, targets: AlertTargets, state: MonitorState): Promise<boolean> {
  let hasChanged = false
  for (const [id, finding] of Object.entries(state.findings)) {
    if (finding.isDelivered) continue
    const { text, since, evidence } = finding
    writeLine(host, 'alert', { finding: id, since: new Date(since).toISOString(), message: text, evidence })
    try {
      await deliverAlert(targets, { service: state.service, id, finding, now: host.now() })
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

function writeLine(host: MonitorHost, level: 'alert' | 'ended', fields: object): void {
  host.out(JSON.stringify({ level, time: new Date(host.now()).toISOString(), ...fields }))
}

function openDeps(input: MonitorArguments, host: MonitorHost): LookDeps {
  const bearer = openBearer(input, host)
  const { chain, receivedFile } = input
  const wantsRecords = input.agents !== null || receivedFile !== null
  if (wantsRecords && bearer === null) {
    throw new NotSignedIn('Your records need an API key in MONITOR_API_KEY, or "svc login" at this service.')
  }
  return {
    service: openMonitoredService(input.service, bearer),
    logKey: input.logKey,
    logId: input.logId,
    witnesses: input.witnesses,
    cosignatures: input.cosignatures,
    openChain: chain === null ? null : (logId) => openAuditChain({ ...chain, logId }),
    checksRecords: bearer !== null,
    agents: input.agents,
    readReceived: () => (receivedFile === null ? [] : readIds(host, receivedFile)),
    patienceMs: input.patienceMs,
    pause: (ms) => host.pause(ms, host.signal),
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
