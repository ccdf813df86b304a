import type { z } from 'zod'
import { TABLE } from '../../../server/routes/index.ts'

const ROWS = TABLE.map(([method, path, , , operation]) => ({
  method,
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}$`),
  /** Sorted so that paths without a parameter match first. */
  isExact: !path.includes(':'),
  operation: operation as {
    status?: number
    answer: z.ZodType
    otherStatuses?: Record<number, { answer?: z.ZodType }>
  },
})).toSorted((a, b) => Number(b.isExact) - Number(a.isExact))

/**
 * Checks a successful JSON response against the published schema of its operation.
 *
 * @throws Error naming the difference.
 */
export function checkAnswer(method: string, path: string, status: number, body: unknown): void {
  if (status >= 300 || body === null || typeof body !== 'object') return
  const [pathname = ''] = path.split('?')
  const operation = ROWS.find((row) => row.method === method && row.pattern.test(pathname))?.operation
  if (operation === undefined) return
  const schema = operation.otherStatuses?.[status]?.answer ?? operation.answer
  const parsed = schema.safeParse(body)
  if (!parsed.success) {
    throw new Error(
      `the response to ${method} ${pathname} does not match its schema: ${parsed.error.message}`,
    )
  }
}
