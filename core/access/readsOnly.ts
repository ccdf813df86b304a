import type { VerificationRequest } from './verificationRequest.ts'

const READING = new Set(
  'browse check compare describe discover download explore fetch find get head inspect list lookup monitor options preview query read search show summarise summarize track view watch'.split(
    ' ',
  ),
)

const WRITING = new Set(
  'add admin approve book buy cancel change checkout create delete deploy edit execute financial insert install manage modify move order pay payment post publish purchase put remove reserve run sell send set submit subscribe trade transaction transfer update upload write'.split(
    ' ',
  ),
)

/**
 * Whether a request states no purpose and no action that writes.
 *
 * Names are free text, so their words decide: `read_data` and `shopping.compare_prices` read, `write_data` and
 * `shopping.order` write. An action without a known word counts as writing, but a category without one, such as `shopping`,
 * only names a field of activity.
 */
export function readsOnly({ category, action }: Pick<VerificationRequest, 'category' | 'action'>): boolean {
  const categoryWords = wordsOf(category)
  const actionWords = wordsOf(action)
  if ([...categoryWords, ...actionWords].some((word) => WRITING.has(word))) return false
  return action === undefined || actionWords.some((word) => READING.has(word))
}

function wordsOf(name: string | undefined): string[] {
  return name?.split(/[^a-z0-9]+/) ?? []
}
