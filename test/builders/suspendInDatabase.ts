/**
 * Suspends an account (`SVCD-`) or an organisation (`SVCO-`) in the database of a started service that has no operator. An
 * embedded service notices only what it has not cached.
 */
export async function suspendInDatabase(
  { rows }: { rows(sql: string, ...values: string[]): Promise<unknown> },
  subjectId: string,
  reason = 'A reason.',
): Promise<void> {
  const columns = '(subject_id, reason, decided_by, decided_at)'
  await rows(`INSERT INTO interventions ${columns} VALUES (?, ?, 'SVCD-a', 1)`, subjectId, reason)
}
