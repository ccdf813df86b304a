import type { RefusalFields } from './writeError.ts'

/**
 * Names the cause of a failure: the code of the error behind it, or else its text without the statement that knex puts
 * before it and without numbers.
 */
export function nameCause(
  { code, detail, err }: Partial<Pick<RefusalFields, 'code' | 'detail' | 'err'>>,
  message: string,
): string {
  const cause = (err as { code?: unknown } | null | undefined)?.code
  const text = typeof cause === 'string' ? cause : (detail ?? message).replace(/^.* - /s, '')
  return `${code} ${text.replace(/\d+/g, '0')}`
}
