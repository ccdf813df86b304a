import { createPublicKey, verify } from 'node:crypto'
import { parseCheckpoint } from '@svc/core/audit/checkpoint.ts'
import { findNoteSignature, type VerifyEd25519 } from '@svc/core/audit/cosignature.ts'
import type { NoteVerifierKey } from '@svc/core/audit/verifierKey.ts'
import { findOutboundFault, type OutboundFault } from './findOutboundFault.ts'
import { createGuardedFetch } from './outboundHttp.ts'

/** A checkpoint submitted to a witness. */
type Submission = {
  witness: { key: NoteVerifierKey; url: string }
  /** The signed checkpoint. */
  note: string
  /** The size that the witness cosigned last. */
  oldSize: number
  /** From that size to the checkpoint's, in base64; empty for a size of 0 or the same size. */
  consistencyProof: readonly string[]
  /** Epoch milliseconds. */
  now: number
}

/** The response of a witness. */
export type WitnessAnswer =
  | { kind: 'cosigned'; line: string }
  /** It cosigned a checkpoint of another size last. */
  | { kind: 'conflict'; size: number }
  | { kind: 'failed'; fault: string }

/** Submits a checkpoint to a witness once. */
export type AddCheckpoint = (submission: Submission) => Promise<WitnessAnswer>

const TIMEOUT_MS = 10_000
/** A cosignature with ML-DSA has 3,300 characters, and a witness may return several. */
const ANSWER_BYTES_MAX = 32 * 1024
/** How far the clock of a witness may be ahead of ours. */
const CLOCK_SKEW_SECONDS = 300

/** What each refusal means to an operator. */
const REFUSALS: Readonly<Record<number, string>> = {
  400: 'found the request malformed (400)',
  403: 'does not accept the log’s signature (403): its operator has to add the log’s verifier key',
  404: 'does not know this log (404): its operator has to add the log’s origin and verifier key',
  422: 'found that the checkpoint does not extend the one that it cosigned last (422): the log lost or changed records',
}

const SILENCES: Readonly<Record<OutboundFault, string>> = {
  address_refused: 'has an address that is not public, which this service does not contact',
  timed_out: 'did not respond in time',
  connection_failed: 'could not be reached',
}

/**
 * Creates the client of witnesses: bounded in time and size, and to public addresses only unless private ones are allowed.
 *
 * A cosignature counts only if it verifies with the witness's key, so nothing else in a response is trusted.
 *
 * Source: C2SP tlog-witness "add-checkpoint".
 */
export function createAddCheckpoint(options: { allowPrivate: boolean }): AddCheckpoint {
  const fetchGuarded = createGuardedFetch({
    ...options,
    timeoutMs: TIMEOUT_MS,
    maxBytes: ANSWER_BYTES_MAX,
  })
  return async ({ witness, note, oldSize, consistencyProof, now }) => {
    const body = [`old ${oldSize}`, ...consistencyProof, '', note].join('\n')
    try {
      const response = await fetchGuarded(`${witness.url}/add-checkpoint`, {
        method: 'POST',
        headers: { 'Content-Type': 'text/plain; charset=utf-8', 'User-Agent': 'Svc-Witness/1.0' },
        body,
      })
      return readAnswer(response.status, await response.text(), { key: witness.key, note, now })
    } catch (error) {
      return { kind: 'failed', fault: SILENCES[findOutboundFault(error)] }
    }
  }
}

function readAnswer(
  status: number,
  text: string,
  { key, note, now }: { key: NoteVerifierKey; note: string; now: number },
): WitnessAnswer {
  const failed = (fault: string): WitnessAnswer => ({ kind: 'failed', fault })
  if (status === 409) {
    const [, size] = /^(0|[1-9]\d{0,14})\n?$/.exec(text) ?? []
    return size === undefined
      ? failed('responded with 409 without a size')
      : { kind: 'conflict', size: Number(size) }
  }
  if (status !== 200) return failed(REFUSALS[status] ?? `responded with ${status}`)
  const cosigned = parseCheckpoint(note + text)
  if (cosigned === null) return failed('responded with something other than signature lines')
  const found = findNoteSignature(cosigned, key, verifyEd25519)
  if (found.kind === 'absent') return failed('did not sign with its key')
  if (found.kind === 'invalid' || found.time === null) return failed('returned an invalid cosignature')
  const isFuture = found.time > now / 1000 + CLOCK_SKEW_SECONDS
  if (isFuture) return failed('returned a cosignature with a time in the future')
  return { kind: 'cosigned', line: found.line }
}

const verifyEd25519: VerifyEd25519 = (publicKey, message, signature) => {
  const x = Buffer.from(publicKey).toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  return verify(null, message, key, signature)
}
