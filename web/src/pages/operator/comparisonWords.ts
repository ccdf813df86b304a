import type { Comparison } from '@svc/core/kyd/comparisons.ts'

/** What a reviewer confirms to have compared. */
export const COMPARISON_WORDS: Readonly<Record<Comparison, string>> = {
  faces: 'Both pictures show the same person',
  zone: 'The typed lines are those in the picture of the passport',
  name: 'The account’s name is the passport’s, or differs in a way that I accept',
  document: 'The passport looks genuine and has not expired',
}
