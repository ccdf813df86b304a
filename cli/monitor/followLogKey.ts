import { parseCheckpoint } from '@svc/core/audit/checkpoint.ts'
import { findNoteSignature } from '@svc/core/audit/cosignature.ts'
import { type FollowedHandovers, followHandovers } from '../audit/followHandovers.ts'
import type { VerifierKey } from '../audit/parseVerifierKey.ts'
import { verifyEd25519 } from '../audit/verifyEd25519.ts'
import { createFinding, type Finding } from './findings.ts'

/** The key of a log, as far as its hand-overs were followed. */
export type FollowedLogKey = {
  /** The newest key that signed an accepted checkpoint, or the pinned one, with those that it has handed over to. */
  current: VerifierKey
  /** Keys before the current one, which no longer sign anything new by themselves. */
  former: VerifierKey[]
  findings: Finding[]
  /** Returns the hand-overs to remember once a checkpoint is accepted: up to the newest key that signed it. */
  remember: (note: string) => string[]
}

type Input = {
  pinned: VerifierKey
  /** Hand-overs to keys that signed an accepted checkpoint. */
  remembered: readonly string[]
  /** Hand-overs that the service shows now. */
  shown: readonly string[]
}

/** How many of the hand-overs that are refused for one reason are shown; a service can make up any number of them. */
const EVIDENCE_MAX = 3

/**
 * Follows the hand-overs of a log's key from the pinned one.
 *
 * A hand-over is remembered once its successor has signed, not when it is shown: until then, the operator may withdraw it. A
 * hand-over that contradicts a remembered one, or is not signed by the key that it claims to come from, is a finding.
 */
export function followLogKey({ pinned, remembered, shown }: Input): FollowedLogKey {
  const { successors, refused } = followHandovers(pinned, [...remembered, ...shown])
  const keys = [pinned, ...successors.map(({ key }) => key)]
  const at = followHandovers(pinned, remembered).successors.length
  const [current = pinned, ...next] = keys.slice(at)
  return {
    current: { ...current, successors: next },
    former: keys.slice(0, at),
    findings: reportRefused(refused),
    remember: (note) => {
      const checkpoint = parseCheckpoint(note)
      const signer = keys.findLastIndex(
        (key) => checkpoint !== null && findNoteSignature(checkpoint, key, verifyEd25519).kind === 'valid',
      )
      return successors.slice(0, Math.max(at, signer)).map((successor) => successor.note)
    },
  }
}

/** One finding for each reason, so that nobody can send any number of alerts with hand-overs that are made up. */
function reportRefused(refused: FollowedHandovers['refused']): Finding[] {
  return [...new Set(refused.map(({ why }) => why))].map((why) => {
    const notes = refused.filter((one) => one.why === why).map(({ note }) => note)
    const what =
      notes.length === 1
        ? 'a hand-over of the log’s key is'
        : `${notes.length} hand-overs of the log’s key are`
    return createFinding(`handover:${why}`, `${what} not to be trusted: ${why}`, notes.slice(0, EVIDENCE_MAX))
  })
}
