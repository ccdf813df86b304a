import { LOGS_MAX } from '@svc/core/audit/chooseLog.ts'
import type { AuditChain } from '../audit/openAuditChain.ts'
import type { VerifierKey } from '../audit/parseVerifierKey.ts'
import { attemptChecks, type Obstacle } from './attemptChecks.ts'
import type { RequiredCosignatures } from './checkCosignatures.ts'
import { checkExport } from './checkExport.ts'
import { checkReceived } from './checkReceived.ts'
import { createFinding, type Finding, type LocatedFinding } from './findings.ts'
import { listLogs, openLog } from './listLogs.ts'
import { type LogLook, lookAtLog } from './lookAtLog.ts'
import { createLogState, type MonitorState } from './monitorState.ts'
import type { MonitoredService } from './openMonitoredService.ts'

/** What the monitor checks, and what it needs for that. */
export type LookDeps = {
  openService: (signal: AbortSignal) => MonitoredService
  /** Keys of logs, by the id of the log; the keys of others are those that the service names at the first look. */
  logKeys: ReadonlyMap<string, VerifierKey>
  /** The logs to look at; null for all that the service names, or has named. */
  logIds: ReadonlySet<string> | null
  required: Omit<RequiredCosignatures, 'now'>
  /** Opens a log on the chain; null does not ask the chain. */
  openChain: ((logId: `0x${string}`, signal: AbortSignal) => Promise<AuditChain>) | null
  /** Whether there is the credential of a party, whose records are then checked. */
  checksRecords: boolean
  agents: ReadonlySet<string> | null
  /** Reads the identifiers of the records that the party received. */
  readReceived: () => readonly string[]
  /** How long a check may be impossible before that is a finding. */
  patienceMs: number
  pause: (ms: number, signal: AbortSignal) => Promise<void>
}

export type Look = {
  findings: LocatedFinding[]
  /** Why some checks could not be done. */
  obstacles: string[]
  /** What the person who runs the monitor should know. */
  notes: string[]
  /** The logs about which everything was checked, with null for what concerns no single one. */
  checked: ReadonlySet<string | null>
  state: MonitorState
}

/** When a look takes place, and what ends it. */
type Moment = { now: number; signal: AbortSignal }

/**
 * Looks at all logs of a service once: first at their checkpoints, then at the records of the party.
 *
 * What cannot be checked now, because the service restarts or the node is behind, is not a finding until it has lasted for
 * the patience. Findings of checks that were not done remain.
 */
export async function lookAtService(deps: LookDeps, before: MonitorState, moment: Moment): Promise<Look> {
  const { now, signal } = moment
  const service = deps.openService(signal)
  const state = { ...before, received: { ...before.received } }
  const findings: Finding[] = []
  const obstacles: Obstacle[] = []
  const attempt = attemptChecks(obstacles, signal)
  let named: string[] = []
  const isListed = await attempt(async () => {
    named = await listLogs(service)
  })
  const ids = isListed ? chooseLogs(deps, named, before) : []
  if (deps.logIds === null && named.some((id) => !ids.includes(id)))
    obstacles.push({ text: `the service has named more than ${LOGS_MAX} logs`, evidence: [] })
  const looks: LogLook[] = []
  for (const id of ids) looks.push(await lookAtOne(deps, { id, named, service }, before, moment))
  state.logs = { ...before.logs, ...Object.fromEntries(looks.map((look) => [look.id, look.state])) }
  if (deps.checksRecords) {
    for (const look of looks) await checkOwnRecords(deps, look, { looks, logs: state.logs, ...moment })
  }
  const received = isListed ? deps.readReceived() : []
  let isWhole = isListed
  await attempt(async () => {
    const { agents, patienceMs } = deps
    const report = (finding: Finding) => void findings.push(finding)
    isWhole &&= await checkReceived({ service, received, looks, state, agents, now, patienceMs, report })
  })
  const units = [{ id: null, state, findings, obstacles }, ...looks]
  for (const unit of units) judgePatience(unit, deps.patienceMs, now)
  const checked = new Set<string | null>(
    looks.filter((look) => look.obstacles.length === 0 && look.shows !== 'unusable').map(({ id }) => id),
  )
  if (isWhole && obstacles.length === 0) checked.add(null)
  return {
    findings: units.flatMap((unit) => unit.findings.map((finding) => ({ ...finding, log: unit.id }))),
    obstacles: units.flatMap((unit) => unit.obstacles.map(({ text }) => text)),
    notes: isListed ? describeChoice(deps, named, before) : [],
    checked,
    state,
  }
}

/** The logs to look at. The service can name no more than it can have; those that it has named before come first. */
function chooseLogs(
  { logIds, logKeys }: LookDeps,
  named: readonly string[],
  { logs }: MonitorState,
): string[] {
  const known = new Set([...Object.keys(logs), ...logKeys.keys()])
  if (logIds !== null) return [...logIds]
  return [...new Set([...known, ...named])].slice(0, Math.max(LOGS_MAX, known.size))
}

async function lookAtOne(
  deps: LookDeps,
  { id, named, service }: { id: string; named: readonly string[]; service: MonitoredService },
  before: MonitorState,
  { now, signal }: Moment,
): Promise<LogLook> {
  const { openChain } = deps
  const number = named.indexOf(id)
  return await lookAtLog({
    ...{ id, signal, service: number < 0 ? null : openLog(service, number) },
    logKey: deps.logKeys.get(id) ?? null,
    required: { ...deps.required, now },
    openChain: openChain === null ? null : (logId) => openChain(logId, signal),
    before: (Object.hasOwn(before.logs, id) ? before.logs[id] : undefined) ?? createLogState(),
    pause: (ms) => deps.pause(ms, signal),
  })
}

async function checkOwnRecords(
  { agents }: LookDeps,
  look: LogLook,
  { looks, logs, now, signal }: Moment & { looks: readonly LogLook[]; logs: MonitorState['logs'] },
): Promise<void> {
  const { proven } = look
  if (look.shows !== 'checkpoint' || proven === null) return
  await attemptChecks(
    look.obstacles,
    signal,
  )(() => checkExport({ look, log: proven, looks, logs, agents, now }))
}

/** Turns what could not be checked for longer than the patience into a finding. */
function judgePatience(
  unit: { state: { uncheckedSince: number | null }; findings: Finding[]; obstacles: Obstacle[] },
  patienceMs: number,
  now: number,
): void {
  const { state, findings, obstacles } = unit
  state.uncheckedSince = obstacles.length === 0 ? null : (state.uncheckedSince ?? now)
  const lasts = now - (state.uncheckedSince ?? now)
  if (obstacles.length === 0 || lasts < patienceMs) return
  const why = obstacles.map(({ text }) => text).join('; ')
  const text = `the log could not be checked for ${Math.round(lasts / 60_000)} minutes: ${why}`
  const evidence = [...new Set(obstacles.flatMap((obstacle) => obstacle.evidence))]
  findings.push(createFinding('unchecked', text, evidence))
}

/** Says which logs are watched, where the service named others, and whose keys are taken from the service itself. */
function describeChoice(
  { logIds, logKeys }: LookDeps,
  named: readonly string[],
  before: MonitorState,
): string[] {
  const ignored = logIds === null ? [] : named.filter((id) => !logIds.has(id))
  const trusted = [...(logIds ?? named)].filter((id) => !logKeys.has(id) && !Object.hasOwn(before.logs, id))
  return [
    ...(ignored.length === 0 ? [] : [`The service has logs that are not watched: ${ignored.join(', ')}.`]),
    ...trusted.map(
      (id) =>
        `The key of the log ${id} is taken from the service itself: pass --log-key if you know it from elsewhere.`,
    ),
  ]
}
