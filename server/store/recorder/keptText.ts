import type { Commitment, RecordIntent } from './recorder.ts'

/** What the use of an Idempotency-Key keeps of an outcome; null for one that is under none, or is not answered. */
export function keptText(
  { keep }: Pick<RecordIntent<unknown>, 'keep'>,
  { answer }: Pick<Commitment<unknown>, 'answer'>,
): string | null {
  return keep === undefined || answer === undefined ? null : keep(answer())
}
