import { type Checkpoint, NOTE_CHARACTERS_MAX, parseCheckpoint } from '@svc/core/audit/checkpoint.ts'
import { findNoteSignature } from '@svc/core/audit/cosignature.ts'
import { findCheckpointFault } from '../audit/findCheckpointFault.ts'
import type { VerifierKey } from '../audit/parseVerifierKey.ts'
import { verifyEd25519 } from '../audit/verifyEd25519.ts'
import {
  findCosignatureFaults,
  hasEnoughCosignatures,
  type RequiredCosignatures,
} from './checkCosignatures.ts'
import { checkExtension } from './checkExtension.ts'
import { createFinding, type Finding } from './findings.ts'
import type { Head } from './monitorState.ts'
import { type MonitoredService, Unchecked } from './openMonitoredService.ts'

type Input = {
  service: MonitoredService
  logId: string
  /** The current key of the log, with its successors. */
  logKey: VerifierKey
  /** Keys before it. */
  formerKeys: readonly VerifierKey[]
  required: RequiredCosignatures
  /** Heads that the log signed before: the newest accepted one, and one that the chain has not confirmed yet. */
  signed: readonly Head[]
  pause: (ms: number) => Promise<void>
}

type Checked = {
  findings: Finding[]
  /** The head that the service shows, if it is signed and extends the earlier ones; null if there is none. */
  shown: Head | null
  /** Whether the service shows a checkpoint that must not be believed. */
  isRefused: boolean
}

/** A checkpoint is served before its cosignatures, which take a second: it is read again so often, with this pause. */
const READS_MAX = 5
const PAUSE_MS = 2_000

/**
 * Checks the newest checkpoint: that the log signed it with its current key, that it extends those seen before, and that
 * enough witnesses cosigned it lately.
 *
 * @throws Unchecked if there is an older checkpoint than before: after a restart on a new local chain, or a reorganisation,
 *   the service anchors again what it had anchored, and is then ahead once more. Also if only a former key signed it, which
 *   happens when the clock of a process is slow.
 * Source: C2SP tlog-checkpoint; C2SP tlog-cosignature; RFC 9162 §2.1.4.
 */
export async function checkCheckpoint(input: Input): Promise<Checked> {
  const { service, logId, logKey, signed } = input
  const note = await readCosigned(input)
  if (note === null) return { findings: [], shown: null, isRefused: false }
  const refuse = (finding: Finding) => ({ findings: [finding], shown: null, isRefused: true })
  const checkpoint = parseCheckpoint(note)
  if (checkpoint === null) return refuse(createFinding('checkpoint', 'the checkpoint is malformed', [note]))
  const fault = findCheckpointFault(checkpoint, logId, logKey)
  if (fault !== null && isSigned(checkpoint, input.formerKeys)) {
    const why = 'the newest checkpoint is signed only with a key that has handed over to another'
    throw new Unchecked(why, { evidence: [note] })
  }
  if (fault !== null) return refuse(createFinding('checkpoint', fault, [note]))
  const { size, root } = checkpoint
  // Says the same as no checkpoint, and nothing can be proven to extend it.
  if (size === 0) return { findings: [], shown: null, isRefused: false }
  for (const before of signed) {
    const evidence = [before.note, note]
    if (size < before.size) {
      const why = `the newest checkpoint has ${size} records, but there was one of ${before.size}`
      throw new Unchecked(why, { evidence })
    }
    const rewritten = await checkExtension(service, [before, { size, root }], evidence)
    if (rewritten === null) continue
    const text = `the log was rewritten: its checkpoint of ${size} records does not extend the one of ${before.size} seen before; ${rewritten}`
    return refuse(createFinding('rewritten', text, evidence))
  }
  const findings = findCosignatureFaults(checkpoint, input.required, note)
  return { findings, shown: { size, root, note }, isRefused: false }
}

/** Reads the newest checkpoint, again if it lacks cosignatures; null if nothing is anchored. */
async function readCosigned(input: Input): Promise<string | null> {
  for (let reads = 1; ; reads += 1) {
    const read = await input.service.read('/api/audit/checkpoint', { bytesMax: NOTE_CHARACTERS_MAX })
    if (read.kind !== 'found') return null
    const checkpoint = parseCheckpoint(read.text)
    const isEnough = checkpoint === null || hasEnoughCosignatures(checkpoint, input.required)
    if (isEnough || reads === READS_MAX) return read.text
    await input.pause(PAUSE_MS)
  }
}

function isSigned(checkpoint: Checkpoint, keys: readonly VerifierKey[]): boolean {
  return keys.some((key) => findNoteSignature(checkpoint, key, verifyEd25519).kind === 'valid')
}
