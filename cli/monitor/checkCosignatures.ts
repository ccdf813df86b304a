import type { Checkpoint } from '@svc/core/audit/checkpoint.ts'
import { findNoteSignature } from '@svc/core/audit/cosignature.ts'
import type { VerifierKey } from '../audit/parseVerifierKey.ts'
import { verifyEd25519 } from '../audit/verifyEd25519.ts'
import { createFinding, type Finding } from './findings.ts'

/** Whose cosignatures a checkpoint needs. */
export type RequiredCosignatures = {
  witnesses: readonly VerifierKey[]
  /** How many of them must have cosigned. */
  cosignatures: number
  /** How long ago at most. */
  maxAgeMs: number
  /** Epoch milliseconds. */
  now: number
}

type Kind = 'fresh' | 'old' | 'absent' | 'invalid'

/** Whether enough witnesses cosigned a checkpoint lately. */
export function hasEnoughCosignatures(checkpoint: Checkpoint, required: RequiredCosignatures): boolean {
  return countFresh(judge(checkpoint, required)) >= required.cosignatures
}

/**
 * Finds invalid cosignatures, and whether fewer witnesses than required cosigned lately.
 *
 * A witness states the time at which it saw the checkpoint as the newest one, so an old time means that the service may show
 * an old view. A time that is as far in the future does not count either, because it would never become old.
 *
 * Source: C2SP tlog-cosignature.
 */
export function findCosignatureFaults(
  checkpoint: Checkpoint,
  required: RequiredCosignatures,
  note: string,
): Finding[] {
  const judged = judge(checkpoint, required)
  const namesOf = (...kinds: Kind[]) =>
    judged.filter(({ kind }) => kinds.includes(kind)).map(({ name }) => name)
  const invalid = namesOf('invalid').map((name) =>
    createFinding(`cosignature:${name}`, `the cosignature of ${name} is invalid`, [note]),
  )
  const fresh = countFresh(judged)
  const { cosignatures, maxAgeMs } = required
  if (fresh >= cosignatures) return invalid
  const text = [
    `only ${fresh} of the ${cosignatures} required witnesses cosigned the newest checkpoint`,
    ` in the last ${Math.round(maxAgeMs / 60_000)} minutes`,
    describe('missing', namesOf('absent', 'invalid')),
    describe('too long ago, or in the future', namesOf('old')),
  ]
  return [...invalid, createFinding('cosignatures', text.join(''), [note])]
}

function judge(checkpoint: Checkpoint, { witnesses, maxAgeMs, now }: RequiredCosignatures) {
  return witnesses.map((key): { name: string; kind: Kind } => {
    const found = findNoteSignature(checkpoint, key, verifyEd25519)
    if (found.kind !== 'valid') return { name: key.name, kind: found.kind }
    const isFresh = Math.abs(now - (found.time ?? 0) * 1000) <= maxAgeMs
    return { name: key.name, kind: isFresh ? 'fresh' : 'old' }
  })
}

function countFresh(judged: readonly { kind: Kind }[]): number {
  return judged.filter(({ kind }) => kind === 'fresh').length
}

function describe(what: string, names: readonly string[]): string {
  return names.length === 0 ? '' : `; ${what}: ${names.join(', ')}`
}
