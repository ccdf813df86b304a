import { z } from 'zod'

/** Part of a name or an identifier. Neither contains a NUL, and PostgreSQL rejects a query that contains one. */
export const searchSchema = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^\P{Cc}+$/u, 'contains a control character')
