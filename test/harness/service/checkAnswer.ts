import type { z } from 'zod'
import { TABLE } from '../../../server/routes/index.ts'

const ROWS = TABLE.map(([method, path, , , operation]) => ({
  method,
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}$`),
  /** Rows without a parameter are the more exact ones. */
  isExact: !path.includes(':'),
  operation: operation as {
    status?: number
    answer: z.ZodType
    otherStatuses?: Record<number, { answer?: z.ZodType }>
  },
})).toSorted((a, b) => Number(b.isExact) - Number(a.isExact))

/**
 * Holds a successful JSON answer to the schema that its operation publishes.
 *
 * @throws Error that names what differs.
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
      `the answer of ${method} ${pathname} is not what its schema says: ${parsed.error.message}`,
    )
  }
}
