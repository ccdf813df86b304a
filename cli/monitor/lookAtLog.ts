import { HANDOVERS_MAX } from '../audit/followHandovers.ts'
import type { AuditChain } from '../audit/openAuditChain.ts'
import type { VerifierKey } from '../audit/parseVerifierKey.ts'
import { attemptChecks, type Obstacle } from './attemptChecks.ts'
import { checkAnchor } from './checkAnchor.ts'
import { checkCheckpoint } from './checkCheckpoint.ts'
import type { RequiredCosignatures } from './checkCosignatures.ts'
import { openProvenLog, type ProvenLog } from './checkRecord.ts'
import type { Finding } from './findings.ts'
import { followLogKey } from './followLogKey.ts'
import type { Head, LogState } from './monitorState.ts'
import { type MonitoredService, Unchecked } from './openMonitoredService.ts'
import { parseShownKey, readShownKey } from './readShownKey.ts'

type OpenChain = (logId: `0x${string}`) => Promise<AuditChain>

type Input = {
  id: string
  /** Reads everything about this log; null if the service does not name it. */
  service: MonitoredService | null
  /** Null takes the key that the service names at the first look. */
  logKey: VerifierKey | null
  required: RequiredCosignatures
  /** Opens the log on the chain; null does not ask the chain. */
  openChain: OpenChain | null
  before: LogState
  pause: (ms: number) => Promise<void>
  /** Ends the look. */
  signal: AbortSignal
}

/** What was found of one log. */
export type LogLook = {
  id: string
  service: MonitoredService
  /** What is remembered of the log from now on. */
  state: LogState
  findings: Finding[]
  obstacles: Obstacle[]
  /** Whether the service shows a checkpoint that was accepted, none at all, or one that must not be believed. */
  shows: 'checkpoint' | 'nothing' | 'unusable'
  /** What its records are checked against; null while there is no accepted checkpoint. */
  proven: ProvenLog | null
}

/**
 * Looks at the checkpoint of one log: its key, its signatures, its growth and its anchor.
 *
 * The head to continue with is the one that the service shows, if nothing is wrong with it and, where the chain is asked,
 * the chain has it. Until then it is remembered beside the former one, and what comes later has to extend both.
 */
export async function lookAtLog(input: Input): Promise<LogLook> {
  const { id, before, signal } = input
  const state = { ...before, records: { ...before.records } }
  const findings: Finding[] = []
  const obstacles: Obstacle[] = []
  const attempt = attemptChecks(obstacles, signal)
  const service = input.service ?? refusing(id)
  let shows: LogLook['shows'] = 'unusable'
  await attempt(async () => {
    const key = await readShownKey(service)
    const pinned = input.logKey ?? parseShownKey(state.key ?? key.verifierKey, id)
    if (input.logKey === null) state.key ??= key.verifierKey
    if (state.handovers.length > HANDOVERS_MAX)
      throw new Unchecked(`the log’s key was handed over more than ${HANDOVERS_MAX} times`)
    const followed = followLogKey({ pinned, remembered: state.handovers, shown: key.handovers })
    findings.push(...followed.findings)
    const signed = [state.head, input.openChain === null ? null : state.unanchored]
    const checked = await checkCheckpoint({
      ...{ service, logId: id, logKey: followed.current, formerKeys: followed.former },
      ...{ required: input.required, pause: input.pause },
      signed: signed.filter((head) => head !== null),
    })
    findings.push(...checked.findings)
    if (checked.isRefused) return
    const { shown } = checked
    shows = shown === null ? 'nothing' : 'checkpoint'
    const adopt = (head: Head) =>
      Object.assign(state, { head, unanchored: null, handovers: followed.remember(head.note) })
    const { openChain } = input
    if (openChain === null) {
      if (shown !== null) adopt(shown)
    } else if (await attempt(() => checkChain(input, openChain, { service, state, shown, findings }))) {
      if (shown !== null && !findings.some((finding) => finding.id === 'anchor')) adopt(shown)
    }
    if (shown === null && state.head !== null)
      throw new Unchecked(`the service has no checkpoint, but had one of ${state.head.size} records`, {
        evidence: [state.head.note],
      })
    if (shown === null && openChain === null)
      throw new Unchecked('the service says that nothing is anchored yet, which only the chain can confirm')
  })
  const { head } = state
  const proven = head === null ? null : openProvenLog(service, { id, head })
  return { id, service, state, findings, obstacles, shows, proven }
}

type Shown = { service: MonitoredService; state: LogState; shown: Head | null; findings: Finding[] }

/** Compares with the chain. What it does not confirm, also because it does not respond, is remembered as not anchored. */
async function checkChain(
  input: Input,
  openChain: OpenChain,
  { service, state, shown, findings }: Shown,
): Promise<void> {
  const { maxAgeMs, now } = input.required
  state.unanchored ??= shown
  const evidence = state.unanchored === null ? [] : [state.unanchored.note]
  const chain = await openChain(input.id as `0x${string}`).catch((cause: unknown) => {
    throw new Unchecked(cause instanceof Error ? cause.message : String(cause), { cause, evidence })
  })
  const found = await checkAnchor({ service, chain, shown, unanchored: state.unanchored, maxAgeMs, now })
  findings.push(...found)
  state.unanchored = null
}

/** Stands for a log that the service does not name. */
function refusing(id: string): MonitoredService {
  return {
    async read() {
      throw new Unchecked(`the service does not name the log ${id}`)
    },
  }
}
