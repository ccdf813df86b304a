import type { Commitment, RecordIntent } from './recorder.ts'

/** What the use of an Idempotency-Key keeps of an outcome; null for one that is under none, or is not answered. */
export function sealUseCaseAnswer(
  { sealAnswer: keep }: Pick<RecordIntent<unknown>, 'sealAnswer'>,
  { buildAnswer: answer }: Pick<Commitment<unknown>, 'buildAnswer'>,
): string | null {
  return keep === undefined || answer === undefined ? null : keep(answer())
}
