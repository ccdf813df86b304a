import { type Checkpoint, parseCheckpoint } from '@svc/core/audit/checkpoint.ts'
import { findNoteSignature } from '@svc/core/audit/cosignature.ts'
import { findCheckpointFault } from '../audit/findCheckpointFault.ts'
import type { VerifierKey } from '../audit/parseVerifierKey.ts'
import { verifyEd25519 } from '../audit/verifyEd25519.ts'
import { checkExtension } from './checkExtension.ts'
import { createFinding, type Finding } from './findings.ts'
import { type MonitoredService, Unchecked } from './openMonitoredService.ts'

type Input = {
  service: MonitoredService
  logId: string
  /** The current key of the log, with its successors. */
  logKey: VerifierKey
  /** Keys before it. */
  formerKeys: readonly VerifierKey[]
  witnesses: readonly VerifierKey[]
  /** How many of them must have cosigned. */
  cosignatures: number
  /** The newest head that was accepted before. */
  head: Head | null
  pause: (ms: number) => Promise<void>
}

/** An accepted checkpoint. */
export type Head = { size: number; root: string; note: string }

type Checked = {
  findings: Finding[]
  /** The head to continue with: the new one if it is signed and extends the earlier one. */
  head: Head | null
}

/** A checkpoint is served before its cosignatures, which take a second: it is read again so often, with this pause. */
const READS_MAX = 5
const PAUSE_MS = 2_000

/**
 * Checks the newest checkpoint: that the log signed it with its current key, that it extends the one seen before, and that
 * enough witnesses cosigned it.
 *
 * @throws Unchecked if there is no checkpoint any more, or an older one: after a restart on a new local chain, or a
 *   reorganisation, the service anchors again what it had anchored, and is then ahead once more. Also if only a former key
 *   signed it, which happens when the clock of a process is slow.
 * Source: C2SP tlog-checkpoint; C2SP tlog-cosignature; RFC 9162 §2.1.4.
 */
export async function checkCheckpoint(input: Input): Promise<Checked> {
  const { service, logId, logKey, head: before } = input
  const note = await readCosigned(input)
  if (note === null) {
    if (before === null) return { findings: [], head: null }
    throw new Unchecked(`the service has no checkpoint, but had one of ${before.size} records`)
  }
  const checkpoint = parseCheckpoint(note)
  if (checkpoint === null)
    return { findings: [createFinding('checkpoint', 'the checkpoint is malformed', [note])], head: before }
  const fault = findCheckpointFault(checkpoint, logId, logKey)
  if (fault !== null && isSigned(checkpoint, input.formerKeys))
    throw new Unchecked('the newest checkpoint is signed only with a key that has handed over to another')
  if (fault !== null) return { findings: [createFinding('checkpoint', fault, [note])], head: before }
  const cosigned = findCosignatureFaults(checkpoint, input, note)
  const { size, root } = checkpoint
  if (before === null) return { findings: cosigned, head: { size, root, note } }
  if (size < before.size) {
    throw new Unchecked(`the newest checkpoint has ${size} records, but there was one of ${before.size}`)
  }
  const rewritten = await checkExtension(service, before, { size, root })
  if (rewritten === null) return { findings: cosigned, head: { size, root, note } }
  const text = `the log was rewritten: its checkpoint of ${size} records does not extend the one of ${before.size} seen before; ${rewritten}`
  return { findings: [...cosigned, createFinding('rewritten', text, [before.note, note])], head: before }
}

/** Reads the newest checkpoint, again if it lacks cosignatures; null if nothing is anchored. */
async function readCosigned(input: Input): Promise<string | null> {
  for (let reads = 1; ; reads += 1) {
    const read = await input.service.read('/api/audit/checkpoint')
    if (read.kind !== 'found') return null
    const checkpoint = parseCheckpoint(read.text)
    const enough = checkpoint === null || countCosigners(checkpoint, input.witnesses) >= input.cosignatures
    if (enough || reads === READS_MAX) return read.text
    await input.pause(PAUSE_MS)
  }
}

function countCosigners(checkpoint: Checkpoint, witnesses: readonly VerifierKey[]): number {
  return witnesses.filter((key) => isSigned(checkpoint, [key])).length
}

function isSigned(checkpoint: Checkpoint, keys: readonly VerifierKey[]): boolean {
  return keys.some((key) => findNoteSignature(checkpoint, key, verifyEd25519).kind === 'valid')
}

function findCosignatureFaults(
  checkpoint: Checkpoint,
  { witnesses, cosignatures }: Pick<Input, 'witnesses' | 'cosignatures'>,
  note: string,
): Finding[] {
  const found = witnesses.map((key) => ({ key, ...findNoteSignature(checkpoint, key, verifyEd25519) }))
  const invalid = found
    .filter(({ kind }) => kind === 'invalid')
    .map(({ key }) =>
      createFinding(`cosignature:${key.name}`, `the cosignature of ${key.name} is invalid`, [note]),
    )
  const valid = found.filter(({ kind }) => kind === 'valid').length
  if (valid >= cosignatures) return invalid
  const missing = found.filter(({ kind }) => kind !== 'valid').map(({ key }) => key.name)
  const text = `only ${valid} of the ${cosignatures} required witnesses cosigned the newest checkpoint; missing: ${missing.join(', ')}`
  return [...invalid, createFinding('cosignatures', text, [note])]
}
