import { auditOperations } from '@svc/core/contract/audit.ts'
import type { ResultOf } from '@svc/core/contract/operations.ts'
import { parseJsonObject } from '@svc/core/parseJsonObject.ts'
import { findLogNumber } from '../audit/findLogNumber.ts'
import type { AuditChain } from '../audit/openAuditChain.ts'
import { parseVerifierKey, type VerifierKey } from '../audit/parseVerifierKey.ts'
import { checkAnchor } from './checkAnchor.ts'
import { checkCheckpoint } from './checkCheckpoint.ts'
import { checkRecords } from './checkRecords.ts'
import { createFinding, type Finding } from './findings.ts'
import { followLogKey } from './followLogKey.ts'
import type { MonitorState } from './monitorState.ts'
import { type MonitoredService, Unchecked } from './openMonitoredService.ts'

/** What the monitor checks, and what it needs for that. */
export type LookDeps = {
  service: MonitoredService
  /** Null takes the key that the service names at the first look. */
  logKey: VerifierKey | null
  /** Null takes the log of that key. */
  logId: string | null
  witnesses: readonly VerifierKey[]
  cosignatures: number
  /** Opens the log on the chain; null does not ask the chain. */
  openChain: ((logId: `0x${string}`) => Promise<AuditChain>) | null
  /** Whether there is the credential of a party, whose records are then checked. */
  checksRecords: boolean
  agents: ReadonlySet<string> | null
  /** Reads the identifiers of the records that the party received. */
  readReceived: () => readonly string[]
  /** How long a check may be impossible before that is a finding. */
  patienceMs: number
  pause: (ms: number) => Promise<void>
}

export type Look = {
  findings: Finding[]
  /** Why some checks could not be done; null if nothing prevented them. */
  unchecked: string | null
  /** Whether everything was checked. */
  isComplete: boolean
  state: MonitorState
}

/**
 * Looks at a log once.
 *
 * What cannot be checked now, because the service restarts or the node is behind, is not a finding until it has lasted for
 * the patience. Findings of checks that were not done remain.
 */
export async function lookAtLog(deps: LookDeps, before: MonitorState, now: number): Promise<Look> {
  const state = { ...before }
  const findings: Finding[] = []
  const obstacles: string[] = []
  const attempt = async (check: () => Promise<void>): Promise<void> => {
    try {
      await check()
    } catch (error) {
      if (!(error instanceof Unchecked)) throw error
      obstacles.push(error.message)
    }
  }
  const { witnesses, cosignatures, pause } = deps
  let { service } = deps
  let accepted = false
  await attempt(async () => {
    service = await openLog(deps.service, deps.logId ?? state.logId)
    const shown = await readLogKey(service)
    const { key, logId } = identifyLog(deps, state, shown)
    Object.assign(state, { logKey: key.text ?? state.logKey, logId })
    const followed = followLogKey({ pinned: key.parsed, remembered: state.handovers, shown: shown.handovers })
    findings.push(...followed.findings)
    const input = { service, logId, logKey: followed.current, formerKeys: followed.former }
    const checked = await checkCheckpoint({ ...input, witnesses, cosignatures, pause, head: state.head })
    findings.push(...checked.findings)
    accepted = !checked.findings.some(({ id }) => id === 'checkpoint' || id === 'rewritten')
    state.head = checked.head
    if (accepted && checked.head !== null) state.handovers = followed.remember(checked.head.note)
  })
  // Under a checkpoint that was not accepted, everything else would be found wrong as well.
  const { head, logId } = state
  if (accepted && head !== null && logId !== null) {
    const { openChain } = deps
    if (openChain !== null) {
      await attempt(async () => {
        const finding = await checkAnchor(service, () => openChain(logId as `0x${string}`), head)
        if (finding !== null) findings.push(finding)
      })
    }
    if (deps.checksRecords) {
      await attempt(async () => {
        const { agents, patienceMs } = deps
        const input = { service, head, seen: state, agents, now, patienceMs }
        const checked = await checkRecords({ ...input, received: deps.readReceived() })
        findings.push(...checked.findings)
        Object.assign(state, checked.seen)
      })
    }
  }
  const unchecked = obstacles.length === 0 ? null : obstacles.join('; ')
  state.uncheckedSince = unchecked === null ? null : (before.uncheckedSince ?? now)
  const lasts = now - (state.uncheckedSince ?? now)
  if (unchecked !== null && lasts >= deps.patienceMs) {
    const text = `the log could not be checked for ${Math.round(lasts / 60_000)} minutes: ${unchecked}`
    findings.push(createFinding('unchecked', text))
  }
  return { findings, unchecked, isComplete: unchecked === null && accepted, state }
}

/**
 * Opens a log of the service: everything that is read about a log then concerns this one. If the service does not name it,
 * its first log is read, and the key of that log shows whether it is this one.
 */
async function openLog(service: MonitoredService, logId: string | null): Promise<MonitoredService> {
  if (logId === null) return service
  const read = await service.read('/api/chain')
  const number = read.kind === 'found' ? findLogNumber(read.text, logId) : null
  if (number === null || number === 0) return service
  return {
    read(path, options) {
      // A record is found by its id, and the link to the next page of an export names the log already.
      const isNamed = path.startsWith('/api/audit/records/') || /[?&]log=/.test(path)
      return service.read(isNamed ? path : `${path}${path.includes('?') ? '&' : '?'}log=${number}`, options)
    },
  }
}

type LogKey = ResultOf<'GET /api/audit/key'>
type Identified = { key: { text: string | null; parsed: VerifierKey }; logId: string }

/** The key and log that were given, else those seen first, else those that the service names now. */
function identifyLog({ logKey, logId }: LookDeps, state: MonitorState, shown: LogKey): Identified {
  const text = logKey === null ? (state.logKey ?? shown.verifierKey) : null
  const parsed = logKey ?? parseNamedKey(text ?? '')
  const named = /\/(0x[0-9a-f]{64})$/.exec(parsed.name)?.[1] ?? null
  const id = logId ?? state.logId ?? named
  if (id === null) throw new Unchecked(`the key ${parsed.name} does not name a log`)
  return { key: { text, parsed }, logId: id }
}

function parseNamedKey(text: string): VerifierKey {
  try {
    return parseVerifierKey(text)
  } catch (cause) {
    throw new Unchecked('the key that the service names is not that of a log', { cause })
  }
}

async function readLogKey(service: MonitoredService): Promise<LogKey> {
  const read = await service.read('/api/audit/key')
  const answer = auditOperations['GET /api/audit/key'].answer.safeParse(
    read.kind === 'found' ? parseJsonObject(read.text) : null,
  )
  if (!answer.success) throw new Unchecked('the service names no key of its log')
  return answer.data
}
