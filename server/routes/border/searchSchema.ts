import { z } from 'zod'

/** A part of a name or of an identifier that is looked for. A NUL is in none, and PostgreSQL would not take it. */
export const searchSchema = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^\P{Cc}+$/u, 'contains a control character')
